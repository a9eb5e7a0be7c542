@testable import hearth
import Testing

struct ArgumentTests {
    @Test(arguments: [
        (["home", "list", "--json"], ["home", "list", "--json"]),
        (["--json", "home", "list"], ["home", "list", "--json"]),
        (["--socket", "s", "home", "--home=My Home", "list"], ["home", "list", "--socket", "s", "--home=My Home"]),
        (
            ["--home", "A", "set", "--json", "Lamp", "On", "off"],
            ["set", "Lamp", "On", "off", "--home", "A", "--json"]
        ),
        (["set", "Blinds", "TargetTilt", "-45", "--json"], ["set", "Blinds", "TargetTilt", "--json", "--", "-45"]),
        (
            ["sim", "set", "Porch", "CurrentTemperature", "-4.5", "--data", "d"],
            ["sim", "set", "Porch", "CurrentTemperature", "--data", "d", "--", "-4.5"]
        ),
        (["sim", "get", "A", "-4"], ["sim", "get", "A", "-4"]),
        (["--json", "set", "A", "B", "--", "-4"], ["set", "A", "B", "--json", "--", "-4"]),
        (["home", "place", "-33.9", "151.2"], ["home", "place", "--", "-33.9", "151.2"]),
        (
            ["home", "place", "Villa", "40.7", "-74", "--json", "--socket", "s"],
            ["home", "place", "Villa", "40.7", "--json", "--socket", "s", "--", "-74"]
        ),
        (["presence", "set", "Ann", "at", "-33.9,151.2"], ["presence", "set", "Ann", "at", "--", "-33.9,151.2"]),
        (["--socket"], ["--socket"]),
        (["--help"], ["--help"]),
        (["room", "add", "--", "--json"], ["room", "add", "--", "--json"]),
        ([], []),
    ])
    func sharedOptionsMayStandAnywhere(input: [String], words: [String]) {
        #expect(ProgramArguments(input).words == words)
    }

    @Test(arguments: [
        (["accesory", "list"], "“hearth” has no command “accesory”. Did you mean “accessory”?"),
        (["accessory", "lsit"], "“hearth accessory” has no command “lsit”. Did you mean “list”?"),
        (
            ["room", "paint", "Attic"],
            "“hearth room” has no command “paint”. Its commands are list, add, remove, rename, move."
        ),
        (["sim", "service", "ad", "Lamp"], "“hearth sim service” has no command “ad”. Did you mean “add”?"),
        // The words after a leaf command are arguments, and some commands have a default subcommand.
        (["get", "Kitchn Light"], nil),
        (["room", "add", "list"], nil),
        (["questions", "lst"], nil),
        (["--help"], nil),
        (["help", "accesory"], nil),
        ([], nil),
    ])
    func aMistypedCommandIsNamedWithTheOneMeant(words: [String], reason: String?) {
        #expect(UnknownCommand(in: words)?.reason == reason)
    }

    @Test func aServiceIsParsedWithoutTheOtherCommands() throws {
        let words = ["simulator", "lamp.json", "--data", "d", "--lights", "3", "--json", "--log-level", "debug"]
        let command = try #require(Hearth.parseAlone(words) as? SimulatorCommand)
        #expect(command.files == ["lamp.json"])
        #expect(command.data == "d")
        #expect(command.lights == 3)
        #expect(command.json)
        #expect(command.logging.logLevel == .debug)
        #expect(Hearth.parseAlone(["hub", "--http", "8080"]) is HubCommand)
        #expect(Hearth.parseAlone(["agent"]) is AgentCommand)
        // The hub runs without a subcommand, which its other commands don't change.
        #expect(try Hearth.parse(["hub", "--http", "8080"]) is HubCommand)
        #expect(try Hearth.parse(["hub", "run", "--http", "8080"]) is HubCommand)
        #expect(try Hearth.parse(["hub", "join", "--data", "d", "--json"]) is HubJoinCommand)
    }

    @Test(arguments: [
        ["simulator"], ["simulator", "--help"], ["simulator", "--version"], ["hub", "--http", "8080", "--unknown"],
        ["hub", "help"], ["hub", "--keep-copies", "-1"], ["hub", "--generate-completion-script", "bash"],
        ["help", "hub"], ["--version"], ["home", "list"], [],
        ["hub", "list"], ["hub", "join", "--data", "d"],
    ])
    func helpErrorsAndOtherCommandsAreTheWholeProgramsMatter(words: [String]) {
        let command = Hearth.parseAlone(words)
        #expect(command == nil, "\(words)")
    }
}
