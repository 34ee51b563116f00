"""Scores generated answers with the checkers of an installed package. Ours: it only loads them and calls them.

usage: oracle.py PACKAGE_FOLDER LAYOUT INPUT OUTPUT     LAYOUT: lm_eval | ifbench | evalscope
INPUT holds one JSON object a line: id, kwargs, text. OUTPUT gets one a line: strict, loose, raised (a check that raised follows nothing).
"""

import functools
import importlib
import json
import os
import random
import sys
import types


def bare_package(name, folder):
    """A package whose own __init__ is not run: it would import much that no checker needs."""
    module = types.ModuleType(name)
    module.__path__ = [folder]
    sys.modules[name] = module


def stand_in(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


def load(folder, layout):
    """The registry of checkers, and the official evaluation functions of one response where the package has them."""
    import nltk

    # Data lies in NLTK_DATA already; upstream asks the network for it again and again.
    nltk.download = lambda *_args, **_kwargs: True
    if layout == "ifbench":
        sys.path.insert(0, folder)
        return importlib.import_module("ifbench.instructions_registry").INSTRUCTION_DICT, None
    parts = {"lm_eval": ["lm_eval", "tasks", "ifeval"], "evalscope": ["evalscope", "benchmarks", "ifbench"]}[layout]
    for depth in range(len(parts)):
        bare_package(".".join(parts[: depth + 1]), os.path.join(folder, *parts[: depth + 1]))
    if layout == "evalscope":
        bare_package("evalscope.utils", os.path.join(folder, "evalscope", "utils"))
        stand_in("evalscope.utils.resource_utils", check_nltk_data=lambda *_args: None)
        stand_in("evalscope.utils.function_utils", thread_safe=lambda function: function)
        # Upstream has NLTK split sentences since December 2025; this copy still splits them by its own patterns.
        importlib.import_module("evalscope.benchmarks.ifbench.instructions_util").split_into_sentences = nltk.sent_tokenize
    name = ".".join(parts)
    evaluation = importlib.import_module(f"{name}.{'utils' if layout == 'lm_eval' else 'evaluation_lib'}")
    return importlib.import_module(f"{name}.instructions_registry").INSTRUCTION_DICT, evaluation


def same_seed_everywhere():
    """The tagger is read from its files once, and language detection begins at seed 0, as the reference fixes it."""
    import nltk.tag

    nltk.tag._get_tagger = functools.lru_cache(nltk.tag._get_tagger)
    try:
        import langdetect
    except ImportError:
        return
    langdetect.DetectorFactory.seed = 0


def variants(response):
    """The texts of the loose verdict."""
    lines = response.split("\n")
    texts = [response] + ["\n".join(rest).strip() for rest in (lines[1:], lines[:-1], lines[1:-1])]
    return texts + [text.replace("*", "") for text in texts]


def verdicts_of(registry, answer):
    """Both verdicts where no evaluation function gives them: a check that raises follows nothing."""
    checker = registry[answer["id"]](answer["id"])
    checker.build_description(**answer["kwargs"])
    raised = []

    def follows(text):
        if not text.strip():
            return False
        try:
            return bool(checker.check_following(text))
        except Exception as error:  # whatever upstream raises
            raised.append(type(error).__name__)
            return False

    strict = follows(answer["text"])
    return {"strict": strict, "loose": any(follows(text) for text in variants(answer["text"])), "raised": raised[0] if raised else None}


def score(registry, evaluation, answer):
    random.seed(0)
    found = verdicts_of(registry, answer)
    if evaluation is None or found["raised"]:
        return found
    case = evaluation.InputExample(key=0, instruction_id_list=[answer["id"]], prompt="", kwargs=[dict(answer["kwargs"])])
    strict = evaluation.test_instruction_following_strict(case, answer["text"]).follow_instruction_list[0]
    loose = evaluation.test_instruction_following_loose(case, answer["text"]).follow_instruction_list[0]
    return {"strict": bool(strict), "loose": bool(loose), "raised": None}


def main(folder, layout, source, target):
    registry, evaluation = load(folder, layout)
    same_seed_everywhere()
    with open(source, encoding="utf-8") as answers, open(target, "w", encoding="utf-8") as scores:
        for line in answers:
            scores.write(json.dumps(score(registry, evaluation, json.loads(line))) + "\n")


main(*sys.argv[1:5])
