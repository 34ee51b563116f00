"""Writes sample.jsonl, sample.splits.jsonl and sample.databases.jsonl: python3 make-sample.py.

Thirty-two invented dialogues, four for each of eight invented customers, in the form of tau2-bench's telecom tasks, with data bases of the same shape.
"""
import json
import pathlib

HERE = pathlib.Path(__file__).parent

CUSTOMERS = [
    ("Ada Quill", "C2001", "L2001", "555-770-0001"),
    ("Bruno Falk", "C2002", "L2002", "555-770-0002"),
    ("Chiara Moor", "C2003", "L2003", "555-770-0003"),
    ("Dmitri Vale", "C2004", "L2004", "555-770-0004"),
    ("Esi Tandoh", "C2005", "L2005", "555-770-0005"),
    ("Fenna Brook", "C2006", "L2006", "555-770-0006"),
    ("Goran Petek", "C2007", "L2007", "555-770-0007"),
    ("Hana Orito", "C2008", "L2008", "555-770-0008"),
]

PERSONAS = {
    "None": None,
    "Easy": "\nYou repair bicycles and know your way around a phone. You answer briefly.\n",
    "Hard": "\nYou teach the piano and are afraid of breaking things. You ask what each word means before you do anything.\n",
}


def user(func, /, **arguments):
    return {"env_type": "user", "func_name": func, "arguments": arguments}


def agent(func, /, **arguments):
    return {"env_type": "assistant", "func_name": func, "arguments": arguments}


def holds(func, env_type="user", **arguments):
    return {"env_type": env_type, "func_name": func, "arguments": arguments, "assert_value": True, "message": None}


def act(requestor, tool, compare=None, **arguments):
    return {"requestor": requestor, "name": tool, "arguments": arguments, "info": None, "compare_args": compare}


def troubles(customer, line):
    """Name, reason for the call, how it begins, what mends it, what has to hold, basis."""
    own = {"customer_id": customer, "line_id": line}
    connected = holds("assert_service_status", expected_status="connected")
    data = holds("assert_mobile_data_status", expected_status=True)
    return [
        ("service", "airplane_mode_on", "Your phone has shown no signal since you came out of the cinema. You want it to find the network again.",
         [user("turn_airplane_mode_on")], [act("user", "toggle_airplane_mode")], [connected], ["ENV_ASSERTION"]),
        ("mobile_data", "data_mode_off", "Pages stopped loading on your phone at the bus stop, without any Wi-Fi near. You want mobile data to work.",
         [user("turn_data_off")], [act("user", "toggle_data")], [data], ["ENV_ASSERTION"]),
        ("mobile_data", "data_usage_exceeded", "Mobile data stopped in the middle of a film. You want it back, and would pay for 2 GB more.",
         [agent("set_data_usage", **own, data_used_gb=21.5)], [act("assistant", "refuel_data", **own, gb_amount=2.0)],
         [data, holds("assert_data_refueling_amount", "assistant", **own, expected_amount=2.0)], ["ENV_ASSERTION"]),
        ("service", "lock_sim_card_pin", "Your phone asks for a number you have never known and finds no network. You want to make calls.",
         [user("lock_sim_card", mode="pin")], [act("assistant", "transfer_to_human_agents", [], summary="The SIM card is locked.")],
         [holds("assert_service_status", expected_status="no_service")], ["ENV_ASSERTION", "ACTION"]),
    ]


def task(person, index):
    name, customer, line, number = person
    intent, trouble, reason, begins, actions, assertions, basis = troubles(customer, line)[index]
    persona = list(PERSONAS)[(index + int(customer[-1])) % 3]
    return {
        "id": f"[{intent}_issue]{trouble}|{customer}[PERSONA:{persona}]",
        "description": {"purpose": f"Invented: {intent.replace('_', ' ')}.", "relevant_policies": None, "notes": None},
        "user_scenario": {
            "persona": PERSONAS[persona],
            "instructions": {
                "domain": "telecom",
                "reason_for_call": reason,
                "known_info": f"You are {name} with phone number {number}.",
                "unknown_info": None,
                "task_instructions": "Do what the agent asks of you with your tools, one thing at a time, and say what they show.\nYou are content when what you called about works.",
            },
        },
        "ticket": None,
        "initial_state": {
            "initialization_data": None,
            "initialization_actions": [user("set_user_info", name=name, phone_number=number), *begins],
            "message_history": None,
        },
        "evaluation_criteria": {
            "actions": [{"action_id": f"{one['name']}_{at}", **one} for at, one in enumerate(actions)],
            "env_assertions": assertions,
            "communicate_info": None,
            "nl_assertions": None,
            "reward_basis": basis,
        },
    }


def table(head, /, **fields):
    return "\n".join([head, *(f"{key} = {json.dumps(value)}" for key, value in fields.items())])


def agent_db():
    parts = [table("[[plans]]", plan_id="P2001", name="Meadow", data_limit_gb=20.0, price_per_month=30.0, data_refueling_price_per_gb=1.5)]
    for at, (name, customer, line, number) in enumerate(CUSTOMERS, start=1):
        parts.append(table("[[devices]]", device_id=f"D200{at}", device_type="phone", model="Heron 3", imei=f"35000000000000{at}", is_esim_capable=True, activated=True, activation_date="2025-01-06T09:00:00"))
        parts.append(table("[[lines]]", line_id=line, phone_number=number, status="Active", plan_id="P2001", device_id=f"D200{at}", data_used_gb=4.5, data_refueling_gb=0.0, roaming_enabled=False, contract_end_date="2026-12-31", last_plan_change_date="2025-01-06"))
        parts.append(table("[[customers]]", customer_id=customer, full_name=name, date_of_birth=f"198{at}-03-0{at}", email=f"customer{at}@example.org", phone_number=number, account_status="Active", created_at="2025-01-06T09:00:00", goodwill_credit_used_this_year=0.0, line_ids=[line], bill_ids=[f"B200{at}"]))
        parts.append(table("[[customers.payment_methods]]", method_type="Debit Card", account_number_last_4=f"770{at}", expiration_date="09/2028"))
        parts.append(table("[customers.address]", street=f"{at} Reed Lane", city="Fenton", state="ME", zip_code="04000"))
        parts.append(table("[[bills]]", bill_id=f"B200{at}", customer_id=customer, period_start="2025-03-01", period_end="2025-03-31", issue_date="2025-03-01", total_due=0.0, due_date="2025-03-15", status="Draft", line_items=[]))
    return "\n\n".join(parts) + "\n"


def user_db():
    app = "device.app_statuses"
    return "\n\n".join([
        table("[device]", sim_card_status="active", sim_card_missing=False, airplane_mode=False, network_signal_strength="good", network_technology_connected="5G", network_connection_status="connected", battery_level=64, data_enabled=True, roaming_enabled=False, network_mode_preference="4g_5g_preferred", wifi_enabled=False, wifi_connected=False, wifi_signal_strength="none", wifi_calling_enabled=False, wifi_calling_mms_over_wifi=False, data_saver_mode=False, vpn_enabled_setting=False, vpn_connected=False),
        table("[device.active_apn_settings]", apn_name="internet", mms_apn="mms", mmsc_url="http://mms.example.org/mms"),
        table(f"[{app}.messaging]", app_name="messaging"),
        table(f"[{app}.messaging.permissions]", sms=True, storage=True, phone=True, network=False),
        table(f"[{app}.browser]", app_name="browser"),
        table(f"[{app}.browser.permissions]", sms=False, storage=True, phone=False, network=True),
    ]) + "\n"


def write(name, rows):
    HERE.joinpath(name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


tasks = [task(person, index) for person in CUSTOMERS for index in range(4)]
write("sample.jsonl", tasks)
write("sample.splits.jsonl", [{"name": "base", "value": [one["id"] for one in tasks]}])
write("sample.databases.jsonl", [{"name": "db.toml", "text": agent_db()}, {"name": "user_db.toml", "text": user_db()}])
