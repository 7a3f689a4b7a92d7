#!/usr/bin/env python3
"""fair/1: checks the log of one match, Python standard library only. It shares no code with the service.
usage: check_log.py match.ndjson decks.json        Not checked: signatures, the log's tree, the game's rules."""
import hashlib, hmac, itertools, json, re, sys

PROTOCOL = {"open", "roll", "entropy", "close", "deal", "deck", "burn", "key", "audit"}

def sha(data): return hashlib.sha256(data).hexdigest()
def is_hash(x): return isinstance(x, str) and re.fullmatch("[0-9a-f]{64}", x) is not None
def same(a, b): return jcs(a) == jcs(b)
def need(condition, why):
    if not condition: raise ValueError(why)

def jcs(v):                                              # RFC 8785: the one text of a JSON value; numbers are whole
    if isinstance(v, list): return "[" + ",".join(map(jcs, v)) + "]"
    if isinstance(v, dict):
        keys = sorted(v, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(jcs(key) + ":" + jcs(v[key]) for key in keys) + "}"
    whole = isinstance(v, int) and abs(v) < 2**53
    need(v is None or isinstance(v, str) or whole, "a number that is not whole")
    return json.dumps(v, ensure_ascii=False)

def root_of(leaf, node, size, proof):                    # RFC 9162, 2.1.3.2: an inclusion proof, of exact length
    need(node < size and all(map(is_hash, proof)), "no such card, or a malformed proof")
    last, h = size - 1, hashlib.sha256(b"\0" + leaf).digest()
    for sibling in map(bytes.fromhex, proof):
        need(last > 0, "the card's proof is too long")
        right = node % 2 == 1 or node == last
        h = hashlib.sha256(b"\1" + (sibling + h if right else h + sibling)).digest()
        while right and node and node % 2 == 0: node, last = node // 2, last // 2
        node, last = node // 2, last // 2
    need(last == 0, "the card's proof is too short")
    return h.hex()

def stream(key, head):                                   # the endless bytes of one roll
    for block in itertools.count(): yield from hmac.new(key, f"{head}\n{block}".encode(), hashlib.sha256).digest()

def below(s, n):                                         # uniform on 0..n-1, no bias
    return next(b for b in s if b < 256 - 256 % n) % n

def derive(key, kind, head):                             # what links give (design.md 2)
    s, m = stream(key, head), re.fullmatch("(d|shuffle)([1-9][0-9]{0,2})", kind)
    if m is None:
        need(kind in ("2d6", "open"), f"unknown kind {kind}")
        out = []
        while not out or (kind == "open" and out[-1][0] == out[-1][1]):
            v = below(s, 36)
            out.append([v // 6 + 1, v % 6 + 1])
        return out
    n = int(m[2])
    need((2 if m[1] == "d" else 1) <= n <= 256, f"unknown kind {kind}")
    if m[1] == "d": return below(s, n)
    a = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(s, i + 1)
        a[i], a[j] = a[j], a[i]
    return a

def contributed(source, part):                           # does a contribution fit its source? links step to the one before
    if source is None: return part is None
    if not is_hash(part): return False
    if "text" in source: return part == sha(b"fair/1 text\n" + source["text"].encode())
    if "drand" in source: return part == source.setdefault("seen", part)
    fits, source["tip"] = sha(b"fair/1 link\n" + bytes.fromhex(part)) == source["tip"], part
    return fits

class Log:
    def __init__(self, decks):
        self.decks = {str(d["deck"]): d for d in decks}
        self.seq, self.prev, self.rolls, self.open, self.roll, self.closed = 0, "0" * 64, 0, None, None, False
        self.sources, self.due, self.cards = {}, [], set()

    def set_source(self, start, who, source):            # as open or entropy sets it, in force from roll `start` on
        need(who in self.names, f"a source of {who}, who is not here")
        shapes = {"server": ["card proof tip"], "beacon": ["", "drand"]}.get(who, ["", "tip", "text"])
        need(" ".join(sorted(source or {})) in shapes, f"a source of {who} that is none")
        if who == "server":
            m = re.fullmatch("(0|[1-9][0-9]{0,8})/(0|[1-9][0-9]{0,8})", source["card"])
            need(m and m[1] in self.decks, f"card {source['card']} is of no deck that is known")
            leaf, deck = f"fair/1 card\n{m[0]}\n{source['tip']}".encode(), self.decks[m[1]]
            need(root_of(leaf, int(m[2]), deck["size"], source["proof"]) == deck["root"], "the card is not in its deck")
            need(m[0] not in self.cards, "the card was used before")
            self.cards.add(m[0])
        self.due.append((start, who, source and dict(source)))

    def advance(self, roll): self.sources.update({who: source for start, who, source in self.due if start == roll})

    def check_roll(self, e):
        self.rolls += 1
        need(same(e["roll"], self.rolls), f"roll {self.rolls} was expected")
        self.advance(self.rolls)
        links = e["links"]
        need(sorted(links) == sorted(self.names), "links of others than server, seats and beacon")
        for who in self.names: need(contributed(self.sources.get(who), links[who]), f"the link of {who} does not fit")
        parts = [links[who] or "-" for who in self.names[1:]]
        head = "\n".join(["fair/1 roll", self.sources["server"]["card"], str(self.rolls), e["kind"], *parts])
        need(same(derive(bytes.fromhex(links["server"]), e["kind"], head), e["out"]), "the links give another result")

    def check_close(self, e):
        need(same(e["rolls"], self.rolls), "close counts other rolls")
        self.advance(self.rolls + 1)
        need(contributed(self.sources["server"], e["next"]), "next is not the link of the roll not made")
        seals, opened = self.open.get("seals", {}), e.get("openSeals", {})
        need(sorted(seals) == sorted(opened), "close opens other seals than open has")
        for name, o in opened.items():
            got = sha(f"fair/1 seal\n{o['salt']}\n{jcs(o['value'])}".encode())
            need(is_hash(o["salt"]) and got == seals[name], f"the seal {name} does not open")

    def check_echo(self, e):                             # the game's event repeats the roll; no dice without a roll
        echo = {"opening-rolled": ["open", e.get("rolls")], "dice-rolled": ["2d6", [e.get("dice")]]}.get(e["type"])
        need(not echo or (self.roll and same(echo, [self.roll["kind"], self.roll["out"]])), f"{e['type']} does not repeat a roll")
        bare = self.roll and not echo
        need(not bare or not (self.roll["kind"] in ("open", "2d6") or e["type"] in PROTOCOL), "a roll without its event")

    def check_imported(self, e):                         # another program's dice: in an imported match, before its first roll here
        imported = e["type"].endswith("-imported")
        need(not imported or ("imported" in self.open and self.rolls == 0), "imported dice in a match that rolls its own")

    def check_line(self, raw):
        text = raw.decode("utf-8")
        e = json.loads(text)
        need(jcs(e) == text, "not canonical JSON")
        need(not self.closed, "a line after close")
        need(same(e["seq"], self.seq) and e["prev"] == self.prev, "the chain of lines is broken")
        need((e["type"] == "open") == (self.seq == 0), "open is line 0, and only that")
        self.open = self.open or e
        need(isinstance(e["match"], str) and e["match"] == self.open["match"], "a line of another match")
        self.check_echo(e)
        self.check_imported(e)
        self.roll = e if e["type"] == "roll" else None
        if e["type"] == "open":
            n = len(e["seats"])
            self.names = ["server", *(["white", "black"] if n == 2 else [f"seat{i}" for i in range(n)]), "beacon"]
            need(e["v"] == "fair/1" and same(e["from"], 1), "not a match under fair/1")
        if e["type"] == "entropy": need(type(e["from"]) is int and e["from"] >= self.rolls + 2, "a source set too late")
        if e["type"] in ("open", "entropy"):
            for who, source in e["set"].items(): self.set_source(e["from"], who, source)
        elif e["type"] == "roll": self.check_roll(e)
        elif e["type"] == "close": self.check_close(e)
        else: need(e["type"] not in PROTOCOL, f"{e['type']} lines are not known here")
        self.closed, self.seq, self.prev = e["type"] == "close", self.seq + 1, sha(raw)

def check(data, decks):                                  # -> "OK: …"; raises ValueError "line K: why", K from 0 as seq
    log = Log(decks)
    try:
        for raw in re.sub(rb"\n\Z", b"", data).split(b"\n"): log.check_line(raw)
        need(not log.roll, "the log ends with a roll, without its event")
    except Exception as cause:
        raise ValueError(f"line {log.seq}: {cause if type(cause) is ValueError else 'malformed, ' + type(cause).__name__}") from cause
    return f"OK: {log.seq} lines, {log.rolls} rolls, {'closed' if log.closed else 'not closed yet'}"

if __name__ == "__main__":
    if len(sys.argv) != 3: sys.exit(__doc__)
    try:
        with open(sys.argv[1], "rb") as match, open(sys.argv[2], encoding="utf-8") as decks:
            print(check(match.read(), json.load(decks)["decks"]))
    except (ValueError, OSError) as rejection:
        sys.exit(print(f"REJECTED: {rejection}") or 1)
