import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

text = """\
Fjord|2031-07-01T06:00|11.25|0.4|14
Fjord|2031-07-01T18:00|19.5||22.5
Fjord|2031-07-02T06:00|-3.04|12.7|
Fjord|2031-07-04T12:00|21.349|3.3|22.5
Alp|2031-07-01T12:00|-0.04|0|0

Alp|2031-07-02T12:00|-17.8||
Cape|2031-07-03T12:00|21.349|0.1|99.9
Cape|2031-07-03T12:00|20.0|0.2|99.9
Øy|2031-06-30T23:59|21.351|100|3.7
Dune|2031-07-02T00:00|7|||
Dune|2031-07-01T00:00|8||
""".replace("7|||\n", "7||\n")

import io  # noqa: E402
import subprocess  # noqa: E402

_popen, _python = subprocess.Popen, sys.executable
from weather.__main__ import main  # noqa: E402

for name, content in {"good": text, "torn": text + "Fjord|yesterday|1||\n", "short": "\n\nFjord|2031-07-01T06:00\n", "empty": ""}.items():
    with open(f"../{name}.txt", "w", encoding="utf-8") as file:
        file.write(content)


def run(arguments, stdin=""):
    out, err = io.StringIO(), io.StringIO()
    code = main(arguments, io.StringIO(stdin), out, err)
    return [code, out.getvalue(), err.getvalue()]


calls = '{"tool": "stations"}\n\n   \n{"id": 2, "tool": "current", "arguments": {"station": "Øy"}}\r\nnonsense\n{"id": 3}'
observe("answers", run(["../good.txt"], calls))
observe("empty", [run(["../good.txt"]), run(["../empty.txt"], '{"tool": "stations"}\n{"tool": "current", "arguments": {"station": "Alp"}}\n')])
observe("wrong", [run([]), run(["../good.txt", "x"]), run(["../nowhere.txt"], calls), run(["../torn.txt"], calls), run(["../short.txt"], calls)])

program = "import sys; sys.path.insert(0, '.'); from weather.__main__ import main; sys.exit(main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))"
process = _popen([_python, "-I", "-B", "-X", "utf8", "-c", program, "../good.txt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1)
talk = []
for line in ('{"tool": "stations"}', "?", '{"tool": "warmest", "arguments": {"from": "2031-07-01", "to": "2031-07-01", "limit": 1}, "id": "a"}'):
    process.stdin.write(line + "\n")
    process.stdin.flush()
    talk.append(process.stdout.readline())
process.stdin.close()
observe("talk", [talk, process.stdout.read(), process.wait(30)])
