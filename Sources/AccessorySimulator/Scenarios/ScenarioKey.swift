/// The keys of scenario files and the supported format version. `Documentation/Scenarios.md` describes them.
enum ScenarioKey {
    /// The only format version.
    static let currentFormat: Int64 = 1

    static let format = "format"
    static let name = "name"
    static let seed = "seed"
    static let accessories = "accessories"
    static let apps = "apps"
    static let until = "until"
    static let home = "home"
    static let steps = "steps"

    static let start = "start"
    static let timeZone = "timeZone"
    static let place = "place"
    static let latitude = "latitude"
    static let longitude = "longitude"
    static let people = "people"
    static let scenes = "scenes"
    static let automations = "automations"
    static let when = "when"

    static let at = "at"
    static let app = "app"
    static let pair = "pair"
    static let list = "list"
    static let read = "read"
    static let write = "write"
    static let subscribe = "subscribe"
    static let expect = "expect"
    static let absent = "absent"
    static let value = "value"
    static let within = "within"
    static let outcome = "outcome"
    static let set = "set"
    static let fault = "fault"
    static let on = "on"
    static let clear = "clear"
    static let run = "run"
    static let arrive = "arrive"
    static let leave = "leave"
    static let check = "check"

    static let root = [format, name, seed, accessories, apps, home, until, steps]
    static let homeMembers = [start, timeZone, place, people, scenes, automations]
    /// The actions of steps, with their additional keys.
    static let verbs: [(verb: String, members: [String])] = [
        (pair, [app, outcome, within]), (list, [app, outcome, within]), (read, [app, value, outcome, within]),
        (write, [app, value, outcome, within]), (subscribe, [app, outcome, within]),
        (expect, [app, value, within, absent]), (set, [value]), (fault, [on]), (clear, []),
        (run, []), (arrive, []), (leave, []), (check, [value]),
    ]
}
