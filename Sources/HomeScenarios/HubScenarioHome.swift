package import AccessorySimulator
import DNSSD
package import Foundation
package import HAP
import HAPCatalog
package import HAPClient
import HomeHub
import HomeModel
import HomeText
import HubAPI
import HubClient
import Logging

/// The home of a scenario, with a hub in this process.
package actor HubScenarioHome: ScenarioHome {
    /// An error in words.
    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let app = "hearth.scenario"
    private static let name = "Home"
    private static let yearStart = "2026-01-01 00:00"
    private static let timeFormat = "yyyy-MM-dd HH:mm"

    private let hub: HomeHub
    private let client: HubMirror
    private let home: UUID
    private let timeZone: TimeZone
    private let start: Date
    private var servers: [DeviceID] = []
    private var users: [String: UUID?] = [:]
    private var scenes: [String: UUID] = [:]

    /// Starts a hub with a home.
    ///
    /// - Parameters:
    ///   - description: The home, as the scenario describes it.
    ///   - data: The hub's data folder, which must be new.
    package init(_ description: Scenario.Home, data: URL) async throws {
        let timeZone = try Self.timeZone(description.timeZone)
        let start = try Self.time(description.start ?? Self.yearStart, in: timeZone)
        let configuration = HubConfiguration(
            data: data,
            keptCopies: 0,
            userName: description.people[0],
            clockKind: .manual,
            timeZone: timeZone,
            now: { start },
            log: Logger(label: "hearth.scenario", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        let hub = try await HomeHub(configuration) { NoServices() }
        do {
            let authority = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
            client = try await HubMirror(
                over: InProcessTransport(to: hub, as: authority),
                app: Self.app,
                purpose: "To run a scenario.",
                onEvent: { _ in },
                onClose: {}
            )
            home = try await client.call(HubMethods.addHome, AddHome(name: Self.name)).id
            if let (latitude, longitude) = description.place {
                let place = SetHomePlace(Place(latitude: latitude, longitude: longitude))
                _ = try await client.call(HubMethods.setHomePlace, InHome(home, place))
            }
            users[description.people[0]] = .some(nil)
            for person in description.people.dropFirst() {
                let user = AddHomeUser(home: home, name: person, role: .administrator)
                users[person] = try await client.call(HubMethods.addUser, user).id
            }
        } catch {
            await hub.stop()
            throw error
        }
        self.hub = hub
        self.timeZone = timeZone
        self.start = start
    }

    private static func timeZone(_ name: String?) throws -> TimeZone {
        guard let name else { return .gmt }
        guard let timeZone = TimeZone(identifier: name) else {
            throw Failure(description: "'\(name)' is not a time zone; use a name such as Europe/Berlin")
        }
        return timeZone
    }

    private static func time(_ text: String, in timeZone: TimeZone) throws -> Date {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = timeZone
        formatter.dateFormat = timeFormat
        guard let time = formatter.date(from: text) else {
            throw Failure(description: "'\(text)' is not a time; use a form such as 2026-06-01 18:00")
        }
        return time
    }

    package func stop() async { await hub.stop() }

    // MARK: Layout

    package var controller: ControllerIdentity {
        get async throws { try await hub.controllerIdentity(of: home) }
    }

    package func add(_ pairing: AccessoryPairing, at address: AccessoryAddress) async throws {
        _ = try await hub.admit(pairing, at: address, to: home)
        servers.append(pairing.deviceID)
    }

    package func addScene(_ name: String, writing writes: [Write]) async throws {
        let scene: UUID
        // Every home has some scenes from the beginning, such as “Leave Home”.
        if let existing = try layout().actionSets.first(where: { $0.name == name }) {
            scene = existing.id
        } else {
            scene = try await client.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: name))).id
        }
        scenes[name] = scene
        let records = try layout().accessories
        for write in writes {
            let accessory = records.first { $0.server == "\(write.server)" && $0.aid == write.characteristic.aid }
            guard let accessory,
                let identity = try layout().identity(ofCharacteristic: write.characteristic.iid, in: accessory.id)
            else { throw Failure(description: "the home lacks a characteristic of the scene") }
            let action = AddAction(identity, value: write.value, actionSet: scene)
            _ = try await client.call(HubMethods.addAction, InHome(home, action))
        }
    }

    package func addAutomation(_ name: String, when: String, running scenes: [String]) async throws {
        let definition: TriggerDefinition
        do throws(WhenError) {
            let vocabulary = HomeVocabulary(try layout())
            definition = try WhenParser.definition(of: when, in: vocabulary, now: start, timeZone: timeZone)
        } catch {
            throw Failure(description: error.reason)
        }
        let trigger = AddTrigger(name: name, definition, actionSets: scenes.compactMap { self.scenes[$0] })
        let added = try await client.call(HubMethods.addTrigger, InHome(home, trigger))
        _ = try await client.call(HubMethods.enableTrigger, InHome(home, EnableTrigger(added.id, true)))
    }

    /// The home as the hub reported it. The client learns of each change before the reply to its request.
    private func layout() throws(WhenError) -> Home {
        guard let layout = client.state.homes[home] else { throw WhenError(.notUnderstood, "The home is gone.") }
        return layout
    }

    // MARK: People

    package func run(scene: String) async throws {
        guard let scene = scenes[scene] else { return }
        let result = try await client.call(HubMethods.runActionSet, ItemTarget(home: home, id: scene))
        if let failure = result.failures.first {
            let count = "\(result.failures.count) of \(result.actions)"
            throw Failure(description: "\(count) actions failed, the first because: \(failure.error.reason)")
        }
    }

    package func setPresence(of person: String, isHome: Bool) async throws {
        guard let user = users[person] else { return }
        _ = try await client.call(HubMethods.setPresence, SetPresence(home: home, user: user, isHome: isHome))
    }

    // MARK: Time

    package var nextTime: Duration? {
        get async { await hub.nextAutomation.map { .milliseconds($0.milliseconds - start.milliseconds) } }
    }

    package func advance(to time: Duration) async throws {
        let now = try await client.call(HubMethods.clock, Empty()).milliseconds
        let target = start.milliseconds + Int64(time / .milliseconds(1))
        await hub.advanceClock(by: max(0, target - now))
    }

    package func settle() async throws -> Int {
        for server in servers { await hub.catchUp(with: server) }
        await hub.advanceClock(by: 0)
        return servers.count
    }
}

/// A network on which nothing is advertised: the hub knows the addresses of a scenario's accessories.
private struct NoServices: ServiceDiscovery {
    func announce(_ service: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement {
        throw DNSSDError(.closed, reason: "a scenario advertises nothing")
    }

    func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable {
        AsyncStream<BrowseEvent> { _ in }
    }

    func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService] { [] }

    func reconfirm(_ instance: ServiceInstance) async {}

    func shutdown() async {}
}
