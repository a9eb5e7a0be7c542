import HubServer
import ModelContext

/// The tools that assistants can call, with their parameters' names.
enum AssistantTools {
    /// The tools' names.
    enum Name: String, CaseIterable {
        case homes = "list_homes"
        case read = "read_values"
        case write = "write_value"
        case scene = "run_scene"
        case say
        case why
        case events = "recent_events"
        case diagnose
    }

    /// The names of parameters.
    enum Parameter {
        static let (home, room, name, characteristic) = ("home", "room", "name", "characteristic")
        static let (value, by, sentence, language) = ("value", "by", "sentence", "language")
        static let (dryRun, limit) = ("dry_run", "limit")
    }

    /// The description of the server.
    static let info = MCPServerInfo(
        name: "hearth",
        title: "Hearth",
        version: Hearth.version,
        instructions: """
            Looks at the user's homes and operates their accessories. Name things as the user does; list_homes tells the \
            names, states and characteristics. Prefer “say” for what people say (“turn off the lights upstairs”), and \
            write_value for one exact value. To unlock, open or disarm something, a person must agree elsewhere: such a call \
            waits for their answer, and you can't give it.
            """,
        tools: Name.allCases.map(\.tool)
    )

    /// What serves assistants at the page's port.
    static let service = AssistantService(info: info) { AssistantWorker(over: $0) }
}

extension AssistantTools.Name {
    private static let home = MCPTool.Parameter(
        AssistantTools.Parameter.home,
        .string,
        "The home's name (default: the primary home)."
    )
    private static let subject = MCPTool.Parameter(
        AssistantTools.Parameter.name,
        .string,
        "The name of an accessory or a service, such as “Desk Lamp”.",
        isRequired: true
    )

    /// The tool with the name.
    fileprivate var tool: MCPTool {
        typealias Key = AssistantTools.Parameter
        switch self {
        case .homes:
            return MCPTool(
                rawValue,
                title: "List homes",
                "Lists the homes with their rooms, scenes and accessories, and the present state of each accessory in words.",
                [
                    .init(Key.home, .string, "A home's name (default: all homes)."),
                    .init(Key.room, .string, "A room's name (default: all rooms)."),
                ],
                isReadOnly: true
            )
        case .read:
            return MCPTool(
                rawValue,
                title: "Read values",
                "Reads an accessory's values from the device.",
                [
                    Self.subject,
                    .init(Key.characteristic, .string, "A characteristic, such as “Brightness” (default: all)."),
                    Self.home,
                ],
                isReadOnly: true
            )
        case .write:
            return MCPTool(
                rawValue,
                title: "Write a value",
                "Writes one value of an accessory, such as On or Brightness. Waits for a person if it unlocks or opens something.",
                [
                    Self.subject,
                    .init(Key.characteristic, .string, "The characteristic, such as “Brightness”.", isRequired: true),
                    .init(Key.value, .scalar, "The value: a number, on or off, or a state such as “locked”."),
                    .init(Key.by, .number, "In place of a value: a number to add to the present one."), Self.home,
                ],
                isDestructive: true
            )
        case .scene:
            return MCPTool(
                rawValue,
                title: "Run a scene",
                "Runs a scene. Waits for a person if it would unlock or open something.",
                [.init(Key.name, .string, "The scene's name.", isRequired: true), Self.home],
                isDestructive: true
            )
        case .say:
            return MCPTool(
                rawValue,
                title: "Say a sentence to the home",
                "Says a sentence, such as “turn off the lights upstairs” or “is the garage door open?”. The home does what it "
                    + "asks for and answers. Waits for a person if it would unlock or open something.",
                [
                    .init(Key.sentence, .string, "The sentence.", isRequired: true),
                    .init(Key.language, .string, "The language's tag, such as “de” (default: en)."),
                    .init(Key.room, .string, "The room where the user is."), Self.home,
                    .init(Key.dryRun, .boolean, "Whether to tell only what the sentence means."),
                ],
                isDestructive: true
            )
        case .why:
            return MCPTool(
                rawValue,
                title: "Explain a change",
                "Explains why an accessory, a scene or an automation last did something, or didn't.",
                [
                    .init(Key.name, .string, "The name of an accessory, a scene or an automation.", isRequired: true),
                    Self.home,
                ],
                isReadOnly: true
            )
        case .events:
            return MCPTool(
                rawValue,
                title: "List recent events",
                "Lists what happened in a home and why, oldest first.",
                [.init(Key.limit, .number, "The number of events, at most 100 (default: 20)."), Self.home],
                isReadOnly: true
            )
        case .diagnose:
            return MCPTool(
                rawValue,
                title: "Diagnose an accessory",
                "Finds out why an accessory doesn't respond, and what to do. Takes up to 45 seconds.",
                [.init(Key.name, .string, "The accessory's name.", isRequired: true), Self.home],
                isReadOnly: true
            )
        }
    }
}
