"""Plays matches with GNU Backgammon and has it analyse them; 2 minutes.

    gnubg -t -q -r -p test/tooling/gnubg_analysis.py < /dev/null

From the root of the repository. Writes test/golden/backgammon/analysis/*.mat, self-play at 0 plies with noise, and
test/golden/backgammon/gnubg-analysis.jsonl, what the program's analysis at 2 plies says of these files and of those in
formats/: one game a line. The same program writes the same files again.
"""

import json

import gnubg

GOLDEN = "test/golden/backgammon/"
# Name, length (0: money), noise, seed.
PLANS = [
    ("match1", 1, 0.06, 1),
    ("match3", 3, 0.03, 2),
    ("match5", 5, 0.05, 3),
    ("match7", 7, 0.04, 4),
    ("match9", 9, 0.02, 5),
    ("money", 0, 0.05, 6),
]
MONEY_GAMES = 4
FILES = ["formats/match5-crawford", "formats/money-cube"] + ["analysis/" + plan[0] for plan in PLANS]


def do(*commands):
    for command in commands:
        gnubg.command(command)


def play(name, length, noise, seed):
    for player in (0, 1):
        for what in ("chequerplay", "cubedecision"):
            do(f"set player {player} {what} evaluation plies 0")
            do(f"set player {player} {what} evaluation noise {noise}")
            do(f"set player {player} {what} evaluation deterministic on")
    do(f"set seed {seed}")
    if length > 0:
        do("set automatic game on", f"new match {length}")
    else:
        do("set automatic game off", "new session")
        do(*["new game"] * (MONEY_GAMES - 1))
    do("set matchinfo date 2026-11-30", f'export match mat "{GOLDEN}analysis/{name}.mat"')


def rounded(value):
    return round(value, 4)


def cube_said(analysis, cube):
    """Equities of the side on roll by this cube, a pass being worth 1; None where it may not double."""
    if "nd-cubeful-eq" not in analysis:
        return None
    both = [analysis["nd-cubeful-eq"], analysis["dt-cubeful-eq"]]
    if cube["length"] > 0:
        info = gnubg.cubeinfo(
            cube["value"], cube["owner"], cube["mover"], cube["length"], tuple(cube["score"]), cube["crawford"]
        )
        both = [gnubg.mwc2eq(value, info) for value in both]
    return {"noDouble": rounded(both[0]), "doubleTake": rounded(both[1])}


def actions_of(game, length):
    info = game["info"]
    cube = {
        "value": 1,
        "owner": -1,
        "mover": 0,
        "length": length,
        "score": [info["score-X"], info["score-O"]],
        "crawford": 1 if info.get("crawford") else 0,
    }
    offered = None
    for action in game["game"]:
        seat = "XO".index(action["player"])
        analysis = action.get("analysis", {})
        cube["mover"] = seat
        if action["action"] == "move":
            moves = analysis.get("moves", [])
            told = {"seat": seat, "type": "play", "dice": action["dice"], "luck": rounded(analysis["luck-value"])}
            if len(moves) > 1:
                told["error"] = rounded(max(0, moves[0]["score"] - moves[analysis["imove"]]["score"]))
            said = cube_said(analysis, cube)
            if said is not None:
                told["cube"] = said
            yield told
        elif action["action"] == "double":
            offered = cube_said(analysis, cube)
            yield {"seat": seat, "type": "double", "cube": offered}
            cube["value"] *= 2
        elif offered is not None:
            # A drop of no double is a resignation.
            yield {"seat": seat, "type": "take" if action["action"] == "take" else "pass", "cube": offered}
            offered = None
            cube["owner"] = seat


do("set threads 1", "set rng mersenne", "set jacoby off")
do("set automatic roll on", "set automatic move on", "set automatic bearoff on")
do("set player 0 gnubg", "set player 1 gnubg", "set defaultnames anna boris")
for plan in PLANS:
    play(*plan)
with open(GOLDEN + "gnubg-analysis.jsonl", "w") as out:
    for file in FILES:
        do(f'import mat "{GOLDEN}{file}.mat"', "analyse match")
        match = gnubg.match(1, 1, 0, 0)
        length = match["match-info"]["match-length"]
        for number, game in enumerate(match["games"], 1):
            line = {
                "file": file + ".mat",
                "game": number,
                "actions": list(actions_of(game, length)),
            }
            out.write(json.dumps(line, separators=(",", ":")) + "\n")
