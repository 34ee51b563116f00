"""Runs the official code of SciCode over generated cases: python3 scicode-oracle.py SOURCE IN OUT, lines of JSON to lines of JSON.

SOURCE is a checkout of scicode-bench/SciCode. Packages that it imports and that play no part here are stood in for.
"""
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types


class Anything(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name)

    def __call__(self, *args, **kwargs):
        return self


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome(work):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return {"value": work()}
    except Exception as error:
        return {"raised": type(error).__name__}


def prompts(gencode, templates, case):
    background = case["background"]
    with tempfile.TemporaryDirectory() as folder:
        writer = gencode.Gencode("m", pathlib.Path(folder), pathlib.Path(folder), background, 0)
        steps, told = case["problem"]["sub_steps"], []
        writer.previous_llm_code = [None] * len(steps)
        for index in range(len(steps)):
            prompt, previous = writer.generate_prompt_with_steps(case["problem"], index + 1, templates[background])
            code = gencode.extract_python_script(case["replies"][index])
            writer.previous_llm_code[index] = code
            told.append([prompt, f"{previous}\n{code}"])
        return told


def script(tester, case):
    """What the official tester writes for one step: the file it is about to run."""
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, "code", "m", "without_background")
        place.mkdir(parents=True)
        step = case["step"]
        (place / f"{step}.py").write_text(case["file"], encoding="utf-8", newline="")
        number, index = step.split(".")
        data = [{"problem_id": number, "sub_steps": [{"step_number": step, "test_cases": case["cases"]}] * int(index)}]
        tester.read_from_hf_dataset = lambda split: data
        tester.subprocess = types.SimpleNamespace(
            run=lambda argv, **_: seen.append(open(argv[1], encoding="utf-8", newline="").read()),
            CalledProcessError=subprocess.CalledProcessError,
            TimeoutExpired=subprocess.TimeoutExpired,
        )
        back = os.getcwd()
        os.chdir(folder)
        try:
            tester.test_code("m", "test", "code", "logs", "out")
        finally:
            os.chdir(back)
    return seen[0]


def built(case):
    names = {}
    exec("import numpy as np\nimport scipy.sparse as sp\nimport sympy\n" + case["values"], names)
    return names["one"], names["other"]


def shown(value):
    if hasattr(value, "toarray"):
        return [type(value).__name__, shown(value.toarray())]
    if isinstance(value, dict):
        return ["dict", *([repr(key), shown(one)] for key, one in value.items())]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(shown, value)]
    if hasattr(value, "dtype"):
        return [type(value).__name__, str(value.dtype), list(value.shape), repr(value.tolist())]
    return [type(value).__name__, repr(value)]


def main(source, read, write, ours, folder):
    sys.path[:0] = [str(pathlib.Path(source, "src"))]
    for name in ("openai", "anthropic", "google", "google.generativeai", "config", "litellm", "litellm.utils", "datasets", "scicode.utils", "scicode.utils.log"):
        sys.modules[name] = Anything(name)
    os.chdir(source)
    gencode = load("gencode", "eval/scripts/gencode.py")
    tester = load("tester", "eval/scripts/test_generated_code.py")
    from scicode.compare import cmp
    from scicode.parse import parse

    own_cmp = load("own_cmp", pathlib.Path(ours, "scicode/compare/cmp.py"))
    own_parse = load("own_parse", pathlib.Path(ours, "scicode/parse/parse.py"))
    templates = {False: gencode.DEFAULT_PROMPT_TEMPLATE, True: gencode.BACKGOUND_PROMPT_TEMPLATE}

    def compare(case):
        one, other = built(case)
        call = lambda module: outcome(lambda: bool(getattr(module, case["function"])(one, other)))
        return {"theirs": call(cmp), "ours": call(own_cmp)}

    def targets(case):
        """The official reader on the HDF5 file, ours on what was made of it."""
        path = os.path.join(folder, "targets.h5")
        own = os.path.join(folder, case["step"])
        theirs = outcome(lambda: shown(parse.process_hdf5_to_tuple(case["step"], case["count"], path)))
        return {"theirs": theirs, "ours": outcome(lambda: shown(own_parse.process_hdf5_to_tuple(case["step"], case["count"], own)))}

    kinds = {
        "extract": lambda case: gencode.extract_python_script(case["reply"]),
        "prompts": lambda case: prompts(gencode, templates, case),
        "script": lambda case: script(tester, case),
        "compare": compare,
        "targets": targets,
    }
    with open(read, encoding="utf-8") as cases, open(write, "w", encoding="utf-8") as verdicts:
        for line in cases:
            case = json.loads(line)
            verdicts.write(json.dumps(outcome(lambda: kinds[case["kind"]](case))) + "\n")


def store(source, read, path):
    """Writes generated values into an HDF5 file with the official writer."""
    sys.path[:0] = [str(pathlib.Path(source, "src"))]
    sys.modules["datasets"] = Anything("datasets")
    import h5py
    from scicode.parse import parse

    with h5py.File(path, "w") as file, open(read, encoding="utf-8") as cases:
        for line in cases:
            case = json.loads(line)
            if case["kind"] == "targets":
                names = {}
                exec("import numpy as np\nimport scipy.sparse as sp\n" + case["values"], names)
                for index, test in enumerate(names["tests"], 1):
                    group = file.create_group(f"{case['step']}/test{index}")
                    for key, value in test.items():
                        parse.save_data_to_hdf5(key, value, group)


if __name__ == "__main__":
    (store if sys.argv[1] == "store" else main)(*sys.argv[2:])
