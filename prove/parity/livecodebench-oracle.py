"""Tests generated programs with LiveCodeBench's own evaluation. Ours: it only loads that code and calls it.

usage: livecodebench-oracle.py FOLDER INPUT OUTPUT     FOLDER holds the package lcb_runner
INPUT holds one JSON object a line: row (a line of a release file), program, seconds. OUTPUT gets one a line: the official result list.
"""

import json
import os
import sys
import types


def load(folder):
    """The evaluation without the rest of its package, and the data set's decoding without the library that would download it."""
    for name in ("lcb_runner", "lcb_runner.evaluation", "lcb_runner.benchmarks"):
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(folder, *name.split("."))]
        sys.modules[name] = package
    datasets = types.ModuleType("datasets")
    datasets.load_dataset = None
    sys.modules["datasets"] = datasets
    from lcb_runner.benchmarks.code_generation import CodeGenerationProblem
    from lcb_runner.evaluation.compute_code_generation_metrics import evaluate_generations_by_problem

    return CodeGenerationProblem, evaluate_generations_by_problem


def plain(entry):
    return entry if isinstance(entry, (bool, int)) else str(entry)


def main(folder, source, target):
    problem, evaluate = load(folder)
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    with open(source, encoding="utf-8") as cases, open(target, "w", encoding="utf-8") as verdicts:
        for line in cases:
            case = json.loads(line)
            sample = problem(**case["row"]).get_evaluation_sample()
            results, _ = evaluate(([case["program"]], sample, False, case["seconds"]))
            verdicts.write(json.dumps([plain(entry) for entry in results[0]]) + "\n")
            verdicts.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
