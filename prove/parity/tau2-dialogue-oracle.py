"""Plays scripts through tau2-bench's half-duplex orchestrator, agent and user simulator, and its evaluators. Ours: it only stands in for the model.

usage: tau2-dialogue-oracle.py SOURCE INPUT OUTPUT     SOURCE is a checkout of sierra-research/tau2-bench
INPUT holds one dialogue a line: task, most (steps, errors), script (assistant, user: lists of messages with text and calls). A script that is used up
says `fine.` for the agent and the word that stops for the user. OUTPUT gets one line for each: messages, what models were sent, how it ended, reward.
"""

import importlib.util
import json
import sys
import types
from pathlib import Path


def oracle():
    spec = importlib.util.spec_from_file_location("tau2_oracle", Path(__file__).with_name("tau2-oracle.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Model:
    """In place of litellm.completion: says what a script has, and keeps what it was sent."""

    def __init__(self):
        self.script, self.asked = {}, []

    def completion(self, model, messages, tools, tool_choice, **others):
        party = model
        self.asked.append([party, [{k: v for k, v in m.items() if v is not None} for m in messages], len(tools or [])])
        left = self.script[party]
        said = left.pop(0) if left else {"text": "fine." if party == "assistant" else "###STOP###", "calls": []}
        calls = [
            types.SimpleNamespace(id=c["id"], function=types.SimpleNamespace(name=c["name"], arguments=c["arguments"]))
            for c in said["calls"]
        ]
        message = types.SimpleNamespace(role="assistant", content=said["text"], tool_calls=calls or None)
        return types.SimpleNamespace(
            model=model, choices=[types.SimpleNamespace(finish_reason="stop", message=message)], to_dict=dict, get=lambda key: None
        )


def stand_in(model):
    """Modules that are imported and, but for the model, not used by dialogues in text."""
    for name in ["litellm", "litellm.caching", "litellm.caching.caching", "litellm.main", "pandas"]:
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__getattr__ = lambda wanted: lambda *given, **named: None
    sys.modules["litellm"].completion = model.completion
    sys.modules["litellm"].completion_cost = lambda completion_response: 0.0
    sys.modules["pandas"].DataFrame = object
    sys.modules["litellm.caching.caching"].Cache = object
    sys.modules["litellm.main"].ModelResponse = object
    sys.modules["litellm.main"].Usage = object


def told(message):
    calls = [[c.id, c.name, json.dumps(c.arguments)] for c in (getattr(message, "tool_calls", None) or [])]
    if message.role == "tool":
        return ["result", message.requestor, message.id, message.content, bool(message.error)]
    return ["said", message.role, message.content or "", calls]


def reward_of(parts, task, run, environment):
    """The product of what the task's basis names, as evaluate_simulation combines it for this domain."""
    if run.termination_reason.value not in ("agent_stop", "user_stop"):
        return 0.0
    constructor = lambda **_: environment()
    env = parts.EnvironmentEvaluator.calculate_reward(environment_constructor=constructor, task=task, full_trajectory=run.messages)
    act = parts.ActionEvaluator.calculate_reward(task=task, full_trajectory=run.messages)
    reward = 1.0
    basis = {one.value for one in task.evaluation_criteria.reward_basis}
    if basis & {"DB", "ENV_ASSERTION"}:
        reward *= env.reward
    if "ACTION" in basis:
        reward *= act.reward
    return reward


def play(base, tau2, parts, model, one):
    task = parts.Task.model_validate(one["task"])
    model.script = {party: list(said) for party, said in one["script"].items()}
    model.asked = []
    world = base.fresh(tau2)
    agent = parts.LLMAgent(tools=world.get_tools(), domain_policy=world.get_policy(), llm="assistant", llm_args={})
    user = parts.UserSimulator(llm="user", instructions=str(task.user_scenario), tools=world.get_user_tools(), llm_args={})
    talk = parts.Orchestrator("telecom", agent, user, world, task, max_steps=one["most"]["steps"], max_errors=one["most"]["errors"])
    came = {}
    try:
        run = talk.run()
        came["end"] = run.termination_reason.value
        came["steps"], came["errors"] = talk.step_count, talk.num_errors
        came["turns"] = [told(message) for message in run.messages]
        came["assistant"], came["user"] = base.dump(world.tools.db), base.dump(world.user_tools.db)
        came["reward"] = reward_of(parts, task, run, lambda: base.fresh(tau2))
    except Exception as error:
        came = {"raised": type(error).__name__}
    return {**came, "asked": model.asked}


def main(source, given, target):
    base, model = oracle(), Model()
    tau2 = base.load(source)
    stand_in(model)
    for name in ("evaluator", "orchestrator", "user", "agent", "agent.base"):
        package = types.ModuleType(f"tau2.{name}")
        package.__path__ = [f"{source}/src/tau2/{name.replace('.', '/')}"]
        sys.modules[f"tau2.{name}"] = package
    from tau2.agent.llm_agent import LLMAgent
    from tau2.data_model.tasks import Task
    from tau2.evaluator.evaluator_action import ActionEvaluator
    from tau2.evaluator.evaluator_env import EnvironmentEvaluator
    from tau2.orchestrator.orchestrator import Orchestrator
    from tau2.user.user_simulator import UserSimulator

    parts = types.SimpleNamespace(
        LLMAgent=LLMAgent,
        Task=Task,
        ActionEvaluator=ActionEvaluator,
        EnvironmentEvaluator=EnvironmentEvaluator,
        Orchestrator=Orchestrator,
        UserSimulator=UserSimulator,
    )
    with open(given, encoding="utf-8") as dialogues, open(target, "w", encoding="utf-8") as results:
        for line in dialogues:
            results.write(json.dumps(play(base, tau2, parts, model, json.loads(line))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
