"""Scores generated cases with the official scorers of the Janus suite: FOLDER that holds the package janus_bench, cases, results; JSON a line."""

import json
import sys

folder, cases, output = sys.argv[1:4]
sys.path.insert(0, folder)

from janus_bench.evaluators.citation_evaluator import evaluate_citations  # noqa: E402
from janus_bench.evaluators.text_evaluator import evaluate_text  # noqa: E402
from janus_bench.janus_scoring import calculate_janus_composite_score, normalize_tps, normalize_ttft  # noqa: E402
from janus_bench.models import StreamingMetrics  # noqa: E402
from janus_bench.scorers import composite, multimodal, research  # noqa: E402
from janus_bench.scorers.cost import score_cost  # noqa: E402
from janus_bench.scorers.cost_efficiency import score_cost_task  # noqa: E402
from janus_bench.scorers.quality import score_quality  # noqa: E402
from janus_bench.scorers.speed import score_speed  # noqa: E402
from janus_bench.scorers.streaming import score_streaming  # noqa: E402
from janus_bench.scorers.tool_use import score_tool_use  # noqa: E402

multimodal._get_clip_evaluator = lambda: None  # no model of pictures and words is compared


def stream(case):
    metrics = StreamingMetrics(**case["metrics"])
    return score_streaming(metrics, case["metadata"])


def tool(case):
    calls = []
    for call in case["calls"]:
        try:
            arguments = json.loads(call["arguments"]) if call["arguments"] else {}
        except json.JSONDecodeError:
            arguments = {}
        calls.append({"function": call["function"], "arguments": arguments})
    return score_tool_use(case["text"], calls, case["metadata"])[0]


def cost_task(case):
    calls = [{"function": "calculator"}] * case["calls"]
    tokens = case["tokens"]
    quality, efficiency, details = score_cost_task(
        case["text"], tokens["input"], tokens["output"], tokens["total"], calls, case["metadata"]
    )
    return [quality, efficiency, details.get("conciseness_score")]


def judge(case):
    return research.extract_judge_score(research.parse_json_block(case["reply"]))


def words(case):
    evaluate = evaluate_citations if case["sourced"] else evaluate_text
    return evaluate(case["text"], case["expected"], case["latency"]).score


scorers = {
    "quality": lambda case: score_quality(case["text"], case["answer"], case["keywords"]),
    "speed": lambda case: score_speed(case["latency"], case["ttft"], case["tps"]),
    "cost": lambda case: score_cost(case["tokens"], case["usd"], case["sandbox"]),
    "streaming": stream,
    "facts": lambda case: research.score_key_facts(case["text"], case["facts"]),
    "searched": lambda case: [research.detect_search_usage(case["text"]), research.detect_citations(case["text"])],
    "judge": judge,
    "tool_use": tool,
    "multimodal": lambda case: multimodal.score_multimodal(
        case["text"], case["has_image_input"], case["keywords"], case["metadata"], ""
    ),
    "cost_task": cost_task,
    "public": words,
    "normal": lambda case: [normalize_ttft(case["ttft"]), normalize_tps(case["tps"])],
    "composite": lambda case: calculate_janus_composite_score(case["results"])["composite"],
    "percentile": lambda case: composite._percentile(case["values"], case["share"]),
}

with open(cases, encoding="utf-8") as source, open(output, "w", encoding="utf-8") as target:
    for line in source:
        case = json.loads(line)
        try:
            verdict = {"value": scorers[case["kind"]](case)}
        except Exception as error:  # what raises there is told, not hidden
            verdict = {"raised": type(error).__name__ + ": " + str(error)[:200]}
        target.write(json.dumps(verdict) + "\n")
