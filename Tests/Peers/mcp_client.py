"""Uses `hearth mcp`, and the hub's `/mcp` over HTTP, with the Model Context Protocol's own Python package, as an AI assistant's program does.

Usage: mcp_client.py HEARTH BRIDGE. Starts a hub and simulated accessories, connects by each way that the package knows,
and checks what the tools answer and what reaches the accessories.
"""

import asyncio
import json
import os
import sys
import tempfile
import urllib.request

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation

sys.path.insert(0, os.path.dirname(__file__))
from simulated_home import Home  # noqa: E402


def check(condition, what):
    if not condition:
        raise SystemExit("error: " + what)


def text(result):
    return "\n".join(part.text for part in result.content)


def post(url, body):
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as response:
        return json.load(response)


async def use(home, mode, carrier):
    name = "Test %s %s" % (carrier, mode)
    if carrier == "HTTP":
        code = json.loads(home.run("login", "--json").stdout)["code"]
        token = post(home.page + "/login", {"code": code, "name": name})["token"]
        async with httpx2.AsyncClient(headers={"Authorization": "Bearer " + token}, timeout=120) as http:
            await operate(home, mode, name, streamable_http_client(home.page + "/mcp", http_client=http))
    else:
        parameters = StdioServerParameters(command=home.hearth, args=["mcp"], env=home.environment)
        await operate(home, mode, name, stdio_client(parameters))


async def operate(home, mode, name, transport):
    async with Client(transport, mode=mode, client_info=Implementation(name=name, version="1")) as client:
        tools = (await client.list_tools()).tools
        hints = {tool.name: (tool.annotations.read_only_hint, tool.annotations.destructive_hint) for tool in tools}
        check(hints["list_homes"] == (True, False) and hints["write_value"] == (False, True), "hints: %s" % hints)

        homes = text(await client.call_tool("list_homes", {}))
        check("Desk Lamp, Lightbulb: On off" in homes, homes)
        wrote = await client.call_tool("write_value", {"name": "Desk Lamp", "characteristic": "On", "value": True})
        check(not wrote.is_error and text(wrote) == "Desk Lamp On: on", text(wrote))
        check(home.value("Desk Lamp", "On") is True, "the lamp is not on")
        why = text(await client.call_tool("why", {"name": "Desk Lamp"}))
        check("because the assistant “%s”, for " % name in why, why)
        said = text(await client.call_tool("say", {"sentence": "turn off the desk lamp"}))
        check(said == "Desk Lamp is off.", said)
        scene = text(await client.call_tool("run_scene", {"name": "Movie Night"}))
        check("“Movie Night” is done" in scene, scene)
        home.run("set", "Desk Lamp", "On", "false")

        failed = await client.call_tool("read_values", {"name": "Moon"})
        check(failed.is_error and "There is no accessory or service “Moon”" in text(failed), text(failed))
        try:
            await client.call_tool("no_such_tool", {})
        except MCPError as error:
            check(error.code == -32602, "an unknown tool: %s" % error)
        else:
            raise SystemExit("error: an unknown tool has a result")

        resources = (await client.list_resources()).resources
        check([resource.name for resource in resources] == ["Villa"], "resources: %s" % resources)
        layout = (await client.read_resource(resources[0].uri)).contents[0].text
        check("Room “Study”" in layout and "Scenes: " in layout, layout)

        # Only a person unlocks.
        home.run("set", "Front Door", "LockTargetState", "locked")
        unlock = asyncio.create_task(
            client.call_tool("write_value", {"name": "Front Door", "characteristic": "LockTargetState", "value": "unlocked"})
        )
        question = None
        while question is None:
            check(not unlock.done(), "the door was unlocked without a question")
            await asyncio.sleep(0.1)
            questions = json.loads(home.run("questions", "list", "--json").stdout)
            question = questions[0] if questions else None
        check(question["text"] == "The assistant “%s” asks to unlock Front Door. Allow it?" % name, question["text"])
        check(home.value("Front Door", "LockTargetState") == 1, "the door is unlocked before the answer")
        home.run("questions", "decline", question["id"])
        check((await unlock).is_error, "a declined call succeeded")
        check(home.value("Front Door", "LockTargetState") == 1, "the door is unlocked")
        print("%s: revision %s, %d tools" % (name, client.protocol_version, len(tools)))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        home = Home(sys.argv[1], sys.argv[2], folder)
        try:
            for carrier in ("stdio", "HTTP"):
                for mode in ("legacy", "auto", "2026-07-28"):
                    asyncio.run(asyncio.wait_for(use(home, mode, carrier), 300))
        finally:
            home.stop()


main()
