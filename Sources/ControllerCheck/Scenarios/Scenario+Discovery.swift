import AccessoryCheck
import DNSSD
import HAP

extension Scenario {
    /// Accessories that change, or lie, in what they advertise.
    static let discovery: [Scenario] = [
        Scenario(
            "unfamiliar",
            .lenient,
            "The advertisement has pairing features that nobody knows, and unknown keys.",
            needsAdvertising: true,
            checks: [
                ControllerCheck(
                    "discovery.unfamiliar",
                    .must,
                    "Unknown bits of ff and unknown TXT keys don't keep a controller from pairing.",
                    "HAP, Discovery; RFC 6763, 6"
                ) { course in
                    guard course.isAdvertised else { throw CheckNotApplicable("The accessory isn't advertised.") }
                    guard course.exchanges.contains(where: \.isSecured) else {
                        throw CheckFailure(course.exchanges.last.map { "The last request was \($0.line)" } ?? "")
                    }
                }
            ]
        ) { _ in
            var behavior = Behavior()
            behavior.advertisement = { record, _ in
                var record = record
                record["ff"] = "252"
                record["xx"] = "unknown"
                return record
            }
            return behavior
        },
        Scenario(
            "grown",
            .lenient,
            "An accessory is added to the bridge, and the configuration number c# goes up.",
            needsAdvertising: true,
            checks: [relists("discovery.grown", "When c# goes up, the controller lists the accessories again.")]
        ) { _ in
            var behavior = Behavior(trap: .atAccessories(.nothing))
            behavior.accessoriesWhenSprung = ScenarioAccessory.grown
            return behavior
        },
        Scenario(
            "shrunk-number",
            .hostile,
            "An accessory is added to the bridge, and the configuration number c# goes back.",
            needsAdvertising: true,
            checks: [
                relists("discovery.other-number", "When c# goes back, the controller lists the accessories again.")
            ]
        ) { _ in
            var behavior = Behavior(trap: .atAccessories(.nothing))
            behavior.accessoriesWhenSprung = ScenarioAccessory.grown
            behavior.advertisement = { record, isSprung in
                var record = record
                record["c#"] = isSprung ? "3" : "7"
                return record
            }
            return behavior
        },
        Scenario(
            "wrong-status",
            .hostile,
            "The advertisement says that the accessory isn't paired, while it is.",
            needsAdvertising: true,
            checks: [
                ControllerCheck(
                    "discovery.wrong-status",
                    .must,
                    "An advertisement that says “not paired” doesn't make a paired controller pair again.",
                    "HAP, Discovery"
                ) { course in
                    guard course.isAdvertised else { throw CheckNotApplicable("The accessory isn't advertised.") }
                    let trap = try course.firstTrap()
                    let setup = course.exchanges[(trap.exchange + 1)...].first {
                        $0.request.path == "/pair-setup"
                    }
                    if let setup { throw CheckFailure(setup.line) }
                }
            ]
        ) { _ in
            var behavior = Behavior(trap: .atAccessories(.nothing))
            behavior.advertisement = { record, isSprung in
                var record = record
                if isSprung { record["sf"] = "1" }
                return record
            }
            return behavior
        },
    ]

    /// The time for which a session must go on after the change for the controller to have had the time to hear of it.
    private static let hearingTime = Duration.seconds(3)

    /// Returns the check that a controller that hears of a change lists the accessories again.
    static func relists(_ id: String, _ requirement: String) -> ControllerCheck {
        ControllerCheck(id, .should, requirement, "HAP, Discovery") { course in
            guard course.isAdvertised else { throw CheckNotApplicable("The accessory isn't advertised.") }
            let trap = try course.firstTrap()
            let later = course.exchanges[(trap.exchange + 1)...]
            if later.contains(where: { $0.isSecured && $0.request.path == "/accessories" }) { return }
            let gone = later.last { $0.request.removesPairing }?.time ?? course.end ?? trap.time
            guard gone - trap.time >= hearingTime else {
                throw CheckNotApplicable("The controller was gone before it could hear of the change.")
            }
            throw CheckFailure("\(later.count) requests, and no GET /accessories")
        }
    }
}
