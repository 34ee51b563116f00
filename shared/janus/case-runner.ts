/**
 * Runs in the sandbox with Python: reads a program, the name of its function and inputs from its standard input and writes one line of JSON for each case. Values
 * are told with their kind, so that whoever reads them compares as Python does. `narrow`: names of the program are apart from its globals, and few
 * functions are built in.
 */
export const caseRunner = `
import json, os, sys
asked = json.load(sys.stdin)
out = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

def told(value, depth=0):
    if depth > 50:
        return ["o"]
    if value is None:
        return ["n"]
    if type(value) is bool:
        return ["b", value]
    if type(value) is int:
        return ["i", str(value)]
    if type(value) is float:
        return ["f", repr(value)]
    if type(value) is str:
        return ["s", value]
    if type(value) is list:
        return ["l", [told(one, depth + 1) for one in value]]
    if type(value) is dict and all(type(name) is str for name in value):
        return ["d", [[name, told(one, depth + 1)] for name, one in value.items()]]
    return ["o"]

def say(index, ok, value=None):
    out.write(json.dumps({"nonce": asked["nonce"], "index": index, "ok": ok, "value": value}) + "\\n")
    out.flush()

few = "abs all any bool dict enumerate float int len list max min range set str sum tuple zip".split()
try:
    if asked["narrow"]:
        import builtins
        outer, inner = {"__builtins__": {name: getattr(builtins, name) for name in few}}, {}
        exec(asked["program"], outer, inner)
        function = inner.get(asked["function_name"]) or outer.get(asked["function_name"])
    else:
        outer = {"__name__": "answer"}
        exec(asked["program"], outer)
        function = outer.get(asked["function_name"])
    if not callable(function):
        raise NameError("there is no function " + asked["function_name"])
except BaseException as error:
    print(type(error).__name__ + ": " + str(error), file=sys.stderr)
    for index in range(len(asked["inputs"])):
        say(index, False)
    os._exit(0)
for index, values in enumerate(asked["inputs"]):
    try:
        say(index, True, told(function(*values)))
    except BaseException as error:
        print("case %d: %s: %s" % (index, type(error).__name__, error), file=sys.stderr)
        say(index, False)
`
