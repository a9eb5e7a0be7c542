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
        (["--json", "set", "A", "B", "--", "-4"], ["set", "A", "B", "--json", "--", "-4"]),
        (["--socket"], ["--socket"]),
        (["--help"], ["--help"]),
        (["room", "add", "--", "--json"], ["room", "add", "--", "--json"]),
        ([], []),
    ])
    func sharedOptionsMayStandAnywhere(given: [String], words: [String]) {
        #expect(ProgramArguments(given).words == words)
    }
}
