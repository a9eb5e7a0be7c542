import DNSSD
import Foundation
import HAP
import HAPCatalog
import HAPClient
@testable import HomeHub
import HubAPI
import Testing

/// Problems found in an accessory's advertisement and values.
@Suite struct DiagnosisRuleTests {
    // MARK: Advertisements

    private static func server(
        _ addresses: String...,
        name: String = "Lamp",
        txt: [String: String] = [:]
    ) throws -> AccessoryDiscovery.Server {
        let service = Service(
            instance: ServiceInstance(name: name, type: .hap),
            hostName: "lamp.local",
            port: 5001,
            addresses: try addresses.map {
                ServiceAddress(address: try #require(IPAddress($0)), interfaceName: "eth0", interfaceIndex: 2)
            },
            txt: TXTRecord(
                entries: ["id": "11:22:33:44:55:66", "sf": "0", "c#": "4"].merging(txt) { $1 }
                    .map { TXTRecord.Entry(key: $0, value: Array($1.utf8)) }
            )
        )
        return try #require(AccessoryDiscovery.Server(service))
    }

    private static let networks = ["192.0.2.1", "2001:db8::1"].compactMap {
        IPAddress($0).flatMap { Subnet(address: $0, prefixLength: $0.isIPv4 ? 24 : 64) }
    }

    private static func rules(
        _ servers: AccessoryDiscovery.Server...,
        known: Int? = nil
    ) -> AdvertisementRules {
        AdvertisementRules(servers: servers, networks: networks, knownConfiguration: known)
    }

    @Test func anAddressOfOneOfTheHubsNetworksIsEnough() throws {
        for addresses in [["192.0.2.20", "fe80::1"], ["203.0.113.9", "192.0.2.20"], ["2001:db8::20"]] {
            let server = try Self.server(addresses[0], addresses.last ?? "")
            #expect(Self.rules(server).addressFindings == [], "\(addresses)")
        }
    }

    @Test func addressesOfOtherNetworksAreTold() throws {
        let far = Self.rules(try Self.server("203.0.113.9", "fe80::1")).addressFindings
        #expect(far.map(\.trouble) == [.otherNetwork] && far[0].text.contains("203.0.113.9:5001"))
        let local = Self.rules(try Self.server("fe80::1")).addressFindings
        #expect(local.map(\.trouble) == [.linkLocalOnly] && local[0].text.contains("[fe80::1%eth0]:5001"))
    }

    @Test func anotherConfigurationThanWasReadIsTold() throws {
        let server = try Self.server("192.0.2.20")
        #expect(Self.rules(server, known: 4).findings == [])
        #expect(Self.rules(server, known: nil).findings == [])
        #expect(Self.rules(server, known: 3).findings == [.init(.configurationDiffers, "4, not 3")])
    }

    @Test func twoUnderOneIdAreToldUnlessTheyAreAtOnePlace() throws {
        let lamp = try Self.server("192.0.2.20", "fe80::1")
        // After it is renamed, an accessory is advertised under both names for a while.
        #expect(Self.rules(lamp, try Self.server("192.0.2.20", name: "Light")).findings == [])
        let copy = try Self.server("192.0.2.21", name: "Copy")
        #expect(Self.rules(lamp, copy).findings.map(\.trouble) == [.duplicateID])
    }

    @Test func oneThatIsPairedWithNobodyIsTold() throws {
        #expect(Self.rules(try Self.server("192.0.2.20", txt: ["sf": "1"])).findings == [.init(.wasReset)])
    }

    @Test func whatIsListedIncompletelyIsKnownByItsIdAndByItsNameOnlyWhereItTellsNone() throws {
        let deviceID = try #require(DeviceID("11:22:33:44:55:66"))
        func service(_ name: String, id: String? = nil) -> UnresolvedService {
            let txt = id.map { TXTRecord(entries: [TXTRecord.Entry(key: "id", value: Array($0.utf8))]) }
            let instance = ServiceInstance(name: name, type: .hap)
            return UnresolvedService(instance: instance, missingPart: .host, txt: txt)
        }
        let (own, other) = (service("Light", id: "11:22:33:44:55:66"), service("Lamp", id: "11:22:33:44:55:67"))
        let nameless = service("LAMP")
        #expect(AdvertisementRules.own([nameless, other, own], deviceID, ["Lamp"]) == own)
        #expect(AdvertisementRules.own([other, nameless], deviceID, ["Lamp"]) == nameless)
        #expect(AdvertisementRules.own([other], deviceID, ["Lamp"]) == nil)
        #expect(AdvertisementRules.own([nameless], deviceID, ["Desk Lamp"]) == nil)
    }

    @Test func whoeverAnnouncesItsIdIsTriedInTurnAfterWhereItWasProven() throws {
        let copy = try Self.server("203.0.113.8", "203.0.113.9", "fe80::9", name: "Copy")
        let lamp = try Self.server("fe80::1", "192.0.2.20", name: "Lamp")
        let hosts = Self.rules(copy, lamp).addresses(known: []).map(\.host)
        #expect(hosts == ["203.0.113.8", "192.0.2.20", "203.0.113.9", "fe80::1%eth0", "fe80::9%eth0"])

        let known = [lamp.addresses[0], AccessoryAddress(host: "192.0.2.99", port: 5001)]
        let places = Self.rules(copy, lamp).addresses(known: known).map(\.host)
        #expect(places.count == 6 && places.first == known[0].host && places.last == "192.0.2.99", "\(places)")
    }

    @Test func whatHasProvedWhoItIsWasNotResetWhateverIsAnnounced() {
        var builder = DiagnosisBuilder()
        builder.pass(.advertised, "“Lamp” announces itself.", [.init(.wasReset)])
        #expect(builder.all[1].outcome == .warning && builder.all[1].findings == [.init(.wasReset)])
        builder.recordReached()
        #expect(builder.all[1].outcome == .passed && builder.all[1].findings == [])

        builder.pass(.advertised, "“Lamp” announces itself.", [.init(.duplicateID, "two"), .init(.wasReset)])
        builder.recordReached()
        #expect(builder.all[1].outcome == .warning && builder.all[1].findings == [.init(.duplicateID, "two")])
    }

    @Test func whatADeviceSaysCannotGarbleATerminal() {
        var builder = DiagnosisBuilder()
        builder.pass(
            .advertised,
            "“La\nmp\u{1B}[2J” announces itself.",
            [.init(.duplicateID, "“La\r\nmp” at 192.0.2.1")]
        )
        let long = String(repeating: "1", count: DiagnosisBuilder.textLength)
        builder.fail(.reading, long, [.init(.clockWrong, "\u{9B}" + long)])
        let texts = builder.all.flatMap { [$0.detail] + $0.findings.map(\.text) }
        let garbling = texts.flatMap(\.unicodeScalars).filter { $0.properties.generalCategory == .control }
        #expect(garbling.isEmpty, "\(texts)")
        #expect(texts.contains(long) && texts.map(\.unicodeScalars.count).max() == DiagnosisBuilder.textLength + 1)
    }

    // MARK: Values

    private static func reading(
        _ values: [(HAPType, Result<CharacteristicValue?, AccessoryFailure>)],
        lasting duration: Duration = .zero
    ) -> DiagnosticRead {
        let characteristics = values.enumerated().map { index, value in
            CharacteristicAttributes(
                iid: UInt64(index + 2),
                type: value.0,
                permissions: [.read, .notify],
                metadata: CharacteristicMetadata(format: .uint8)
            )
        }
        let service = ServiceAttributes(iid: 1, type: .Service.battery, characteristics: characteristics)
        let ids = characteristics.map { CharacteristicID(aid: 7, iid: $0.iid) }
        return DiagnosticRead(
            accessory: AccessoryAttributes(aid: 7, services: [service]),
            outcomes: Dictionary(uniqueKeysWithValues: zip(ids, values.map(\.1))),
            duration: duration
        )
    }

    private static func troubles(_ reading: DiagnosticRead) -> [AccessoryTrouble] {
        reading.findings(now: Date(timeIntervalSince1970: 1_700_000_000)).map(\.trouble)
    }

    @Test func whatAnAccessoryReportsOfItselfIsTold() {
        let battery = Self.reading([
            (.Characteristic.statusLowBattery, .success(.integer(1))),
            (.Characteristic.batteryLevel, .success(.integer(9))),
        ])
        #expect(battery.findings(now: .now) == [.init(.batteryLow, "9 %")])
        #expect(Self.troubles(Self.reading([(.Characteristic.statusLowBattery, .success(.integer(0)))])) == [])
        #expect(Self.troubles(Self.reading([(.Characteristic.statusFault, .success(.integer(2)))])) == [.faultReported])
        #expect(Self.troubles(Self.reading([(.Characteristic.statusTampered, .success(.integer(1)))])) == [.tampered])
    }

    @Test(arguments: [
        ("2023-11-14T22:13:20Z", false), ("2023-11-14T22:18:20Z", false), ("2023-11-14T22:18:21Z", true),
        ("2023-11-14T22:08:19Z", true), ("half past ten", false),
    ])
    func aClockThatIsFiveMinutesOffIsTold(time: String, isTold: Bool) {
        let reading = Self.reading([(.Characteristic.currentTime, .success(.string(time)))])
        #expect(Self.troubles(reading) == (isTold ? [.clockWrong] : []))
    }

    @Test func anAnswerIsSlowAfterTwoSeconds() {
        let value: [(HAPType, Result<CharacteristicValue?, AccessoryFailure>)] = [
            (.Characteristic.on, .success(.bool(true)))
        ]
        #expect(Self.troubles(Self.reading(value, lasting: .seconds(2))) == [])
        #expect(Self.troubles(Self.reading(value, lasting: .milliseconds(2_001))) == [.slow])
    }

    @Test func aDeviceThatCannotBeReachedIsToldApartFromValuesThatDoNotCome() {
        let out = Result<CharacteristicValue?, AccessoryFailure>.failure(.status(.unableToPerform))
        let denied = Result<CharacteristicValue?, AccessoryFailure>.failure(.status(.insufficientPrivileges))
        #expect(Self.reading([(.Characteristic.on, out)]).refusal?.trouble == .deviceUnreachable)
        #expect(Self.reading([(.Characteristic.on, denied)]).refusal?.trouble == .readFailed)
        let some = Self.reading([
            (.Characteristic.on, .success(.bool(true))), (.Characteristic.brightness, denied),
        ])
        #expect(some.refusal == nil && some.findings(now: .now).map(\.trouble) == [.readFailed])
        #expect(some.findings(now: .now)[0].text.contains("Brightness: insufficient privileges (-70401)"))
        #expect(Self.reading([]).refusal == nil)
    }

    @Test func aChangeThatIsToldWhileItIsReadIsNotMissed() {
        let reading = Self.reading([(.Characteristic.on, .success(.bool(true)))])
        let id = reading.notifying[0].id
        func unreported(before: CharacteristicValue?, reported: CharacteristicValue?) -> [String] {
            let previous = before.map { [id: $0] } ?? [:]
            return reading.unreported(reading.notifying, before: previous, reported: { _ in reported }).map(\.detail)
        }
        #expect(unreported(before: .bool(false), reported: .bool(false)) == ["On is true, but false was reported last"])
        #expect(unreported(before: .bool(false), reported: .bool(true)) == [])
        // The accessory was switched on and off again, and only the first event has arrived.
        #expect(unreported(before: .bool(true), reported: .bool(false)) == [])
        #expect(unreported(before: nil, reported: .bool(false)) == [])
        #expect(unreported(before: .bool(true), reported: .bool(true)) == [])
    }

    @Test func aValueThatIsNullHasCome() {
        let button = Self.reading([(.Characteristic.programmableSwitchEvent, .success(nil))])
        #expect(button.count == 1 && button.refusal == nil && button.findings(now: .now) == [])
    }

    @Test func everyCharacteristicThatWasAskedForHasAnOutcome() {
        let ids = [1, 2, 2, 3].map { CharacteristicID(aid: 7, iid: $0) }
        let refused = DiagnosticRead.outcomes(of: ids, in: [:], otherwise: .status(.unableToPerform))
        #expect(refused.count == 3 && Set(refused.values) == [.failure(.status(.unableToPerform))])

        let answer: [CharacteristicID: DiagnosticRead.Outcome] = [
            ids[0]: .success(nil), ids[1]: .success(.bool(true)),
        ]
        let some = DiagnosticRead.outcomes(of: ids, in: answer, otherwise: .malformedAnswer("the response omits it"))
        #expect(some[ids[0]] == .success(nil) && some[ids[1]] == .success(.bool(true)))
        #expect(some[ids[3]] == .failure(.malformedAnswer("the response omits it")) && some.count == 3)
    }

    @Test func anAnswerWithoutAnyValueIsAFailure() {
        var reading = Self.reading([(.Characteristic.on, .success(.bool(true)))])
        let ids = DiagnosticRead.characteristics(of: reading.accessory)
        reading.outcomes = DiagnosticRead.outcomes(
            of: ids,
            in: [:],
            otherwise: .malformedAnswer("the response omits it")
        )
        #expect(reading.refusal == .init(.readFailed, "On: the response omits it"))
    }
}
