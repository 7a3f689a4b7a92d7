/*
 * The algorithm of src/games/backgammon/plays.ts in C, for comparison. Built and run by
 * bench/legal-plays.ts:
 *
 *   legal-plays ROUNDS < cases    a case: 26 + 26 counts (the side on roll, the opponent), two dice
 *
 * Prints the plays of one pass and the CPU nanoseconds of each round of one pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BAR = 25, PLAYS_MAX = 20475, CASE = 54 };

static signed char mine[26];
static int paired[26], found[PLAYS_MAX];
static int plays, dice_used, held, open_points, blots;

static void load(const signed char *on_roll, const signed char *opponent) {
  plays = dice_used = held = open_points = blots = 0;
  for (int point = 1; point <= BAR; point++) {
    mine[point] = on_roll[point];
    if (on_roll[point] > 0) held |= 1 << point;
    if (point == BAR) break;
    if (opponent[BAR - point] < 2) open_points |= 1 << point;
    if (opponent[BAR - point] == 1) blots |= 1 << point;
  }
}

static inline int highest(int bits) { return 31 - __builtin_clz((unsigned)bits); }

static inline int leaving(int holding, int die) {
  int moving = holding & (open_points << die);
  if (holding & (1 << BAR)) return moving & (1 << BAR);
  if (holding >= 1 << 7) return moving;
  if (holding & (1 << die)) return moving | (1 << die);
  return holding != 0 && holding < 1 << die ? 1 << highest(holding) : moving;
}

static inline int holding_after(int holding, int from, int die) {
  int rest = mine[from] == 1 ? holding & ~(1 << from) : holding;
  return from > die ? rest | (1 << (from - die)) : rest;
}

static void keep(int used, int packed) {
  if (used < dice_used) return;
  if (used > dice_used) dice_used = used, plays = 0;
  found[plays++] = packed;
}

static void repeat_from(int holding, int die, int times, int last, int used, int packed) {
  int leave = leaving(holding, die) & ((2 << last) - 1);
  if (leave == 0 && used > 0) keep(used, packed);
  while (leave != 0) {
    int from = highest(leave), next = packed | (from << (1 + 5 * used));
    leave ^= 1 << from;
    if (used + 1 == times) {
      keep(times, next);
      continue;
    }
    int holding_then = holding_after(holding, from, die);
    mine[from]--;
    if (from > die) mine[from - die]++;
    repeat_from(holding_then, die, times, from, used + 1, next);
    if (from > die) mine[from - die]--;
    mine[from]++;
  }
}

static int add_pair(int by_larger, int by_smaller, int larger, int smaller, int chained, int swapped) {
  if (paired[by_larger] & (1 << by_smaller)) return chained;
  int larger_starts = by_larger - larger == by_smaller;
  if (larger_starts || by_smaller - smaller == by_larger) {
    int middle = larger_starts ? by_smaller : by_larger;
    int start = 1 << (larger_starts ? by_larger : by_smaller);
    if (!(blots & (1 << middle))) {
      if (chained & start) return chained;
      chained |= start;
    }
  } else if (by_larger <= larger && by_smaller <= smaller) {
    if (paired[by_smaller] & (1 << by_larger)) return chained;
  }
  paired[by_larger] |= 1 << by_smaller;
  dice_used = 2;
  found[plays++] = swapped ? 1 | (by_smaller << 1) | (by_larger << 6) : (by_larger << 1) | (by_smaller << 6);
  return chained;
}

static void pair(int larger, int smaller) {
  int chained = 0;
  memset(paired, 0, sizeof paired);
  for (int first = leaving(held, larger); first != 0;) {
    int from = highest(first), holding = holding_after(held, from, larger);
    first ^= 1 << from;
    for (int second = leaving(holding, smaller); second != 0;) {
      int then = highest(second);
      second ^= 1 << then;
      chained = add_pair(from, then, larger, smaller, chained, 0);
    }
  }
  for (int first = leaving(held, smaller); first != 0;) {
    int from = highest(first), holding = holding_after(held, from, smaller);
    first ^= 1 << from;
    for (int second = leaving(holding, larger); second != 0;) {
      int then = highest(second);
      second ^= 1 << then;
      chained = add_pair(then, from, larger, smaller, chained, 1);
    }
  }
  if (plays > 0) return;
  repeat_from(held, larger, 1, BAR, 0, 0);
  if (plays == 0) repeat_from(held, smaller, 1, BAR, 0, 0);
}

static int count_plays(const signed char *one) {
  int a = one[52], b = one[53];
  load(one, one + 26);
  if (a == b) repeat_from(held, a, 4, BAR, 0, 0);
  else if (a > b) pair(a, b);
  else pair(b, a);
  return plays;
}

int main(int argc, char **argv) {
  static signed char cases[CASE * 1000000];
  size_t count = fread(cases, CASE, 1000000, stdin);
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int round = 0; round < rounds; round++) {
    struct timespec before, after;
    long total = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    for (size_t index = 0; index < count; index++) total += count_plays(cases + CASE * index);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    printf("%ld %ld\n", total, (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec);
  }
  return 0;
}
