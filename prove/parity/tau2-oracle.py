"""Plays sessions in tau2-bench's telecom environment. Ours: it only loads the environment, calls it and prints what it holds.

usage: tau2-oracle.py SOURCE INPUT OUTPUT     SOURCE is a checkout of sierra-research/tau2-bench
INPUT holds one session a line: begins, steps. OUTPUT gets the schemas of the tools, then one line for each session: what came of each step, and both data
bases wherever they changed. Bills that are made are counted (upstream draws their ids), and the VPN that is broken is a fresh one in every session.
"""

import json
import os
import sys
import types
import warnings


def load(source):
    os.environ["TAU2_DATA_DIR"] = f"{source}/data"
    from loguru import logger

    logger.remove()
    warnings.simplefilter("ignore")
    # The package's own beginning imports everything that it can do; the environment needs none of it.
    package = types.ModuleType("tau2")
    package.__path__ = [f"{source}/src/tau2"]
    sys.modules["tau2"] = package
    from tau2.data_model.message import ToolCall
    from tau2.data_model.tasks import EnvAssertion, EnvFunctionCall
    from tau2.domains.telecom import environment, tools, user_data_model, user_tools

    return types.SimpleNamespace(
        ToolCall=ToolCall,
        Action=EnvFunctionCall,
        Assertion=EnvAssertion,
        environment=environment,
        tools=tools,
        model=user_data_model,
        user_tools=user_tools,
    )


class Counted:
    """In place of the module uuid: ids in the order in which they are asked for."""

    def __init__(self):
        self.count = 0

    def uuid4(self):
        self.count += 1
        return types.SimpleNamespace(hex=f"{self.count:08x}")


def fresh(tau2):
    tau2.tools.uuid = Counted()
    tau2.user_tools.TelecomUserTools.default_vpn_details = tau2.model.VpnDetails(
        server_address="192.168.1.1",
        protocol="OpenVPN",
        server_performance=tau2.model.PerformanceLevel.EXCELLENT,
    )
    return tau2.environment.get_environment()


def dump(db):
    return json.dumps(db.model_dump(warnings=False), default=str)


def tried(work):
    try:
        return work()
    except Exception:
        return None


def step(tau2, world, one):
    if one["kind"] == "call":
        call = one["call"]
        made = tau2.ToolCall(id="1", name=call["name"], requestor=call["party"], arguments=json.loads(call["arguments"]))
        answer = world.get_response(made)
        synced = tried(lambda: world.sync_tools() or True) is not None if one["sync"] else None
        return {"content": answer.content, "error": answer.error, "synced": synced}
    what = one["action"] if one["kind"] == "act" else one["assertion"]
    named = {"env_type": what["party"], "func_name": what["name"], "arguments": json.loads(what["args"])}
    if one["kind"] == "act":
        return {"done": tried(lambda: [world.run_env_function_call(tau2.Action(**named))]) is not None}
    asked = tau2.Assertion(**named, assert_value=what["value"])
    return {"holds": tried(lambda: world.run_env_assertion(asked, raise_assertion_error=False))}


def play(tau2, session):
    world = fresh(tau2)
    begins = [tau2.Action(env_type=a["party"], func_name=a["name"], arguments=json.loads(a["args"])) for a in session["begins"]]
    world.set_state(None, begins, [])
    came, before = [], (None, None)
    for one in [None, *session["steps"]]:
        result = {} if one is None else step(tau2, world, one)
        after = (dump(world.tools.db), dump(world.user_tools.db))
        for party, was, now in zip(("assistant", "user"), before, after):
            if was != now:
                result[party] = now
        before = after
        came.append(result)
    return came


def main(source, given, target):
    if sys.version_info[:2] != (3, 12):
        raise SystemExit("Python 3.12 is needed, in whose words errors are told")
    tau2 = load(source)
    world = fresh(tau2)
    schemas = {
        "assistant": [tool.openai_schema["function"] for tool in world.get_tools()],
        "user": [tool.openai_schema["function"] for tool in world.get_user_tools()],
    }
    with open(given, encoding="utf-8") as sessions, open(target, "w", encoding="utf-8") as results:
        results.write(json.dumps(schemas) + "\n")
        for line in sessions:
            results.write(json.dumps(play(tau2, json.loads(line))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
