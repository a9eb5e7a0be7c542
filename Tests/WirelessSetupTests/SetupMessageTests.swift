import HAP
import Testing

@testable import WirelessSetup

struct SetupMessageTests {
    private static func network(_ name: String, _ passphrase: String) -> WirelessSetupError? {
        do throws(WirelessSetupError) {
            _ = try NetworkCredentials(name: name, passphrase: passphrase)
            return nil
        } catch {
            return error
        }
    }

    private static func error(decoding bytes: [UInt8]) -> WirelessSetupError? {
        do throws(WirelessSetupError) {
            _ = try SetupConfiguration(decoding: bytes)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Networks

    @Test func aNetworkNameHasOneToThirtyTwoBytes() {
        let passphrase = "12345678"
        #expect(Self.network("a", passphrase) == nil)
        #expect(Self.network(String(repeating: "a", count: 32), passphrase) == nil)
        // Bytes count, not characters.
        #expect(Self.network(String(repeating: "ä", count: 16), passphrase) == nil)
        #expect(Self.network(String(repeating: "a", count: 33), passphrase) == .invalidNetworkName(33))
        #expect(Self.network(String(repeating: "ä", count: 16) + "a", passphrase) == .invalidNetworkName(33))
        #expect(Self.network("", passphrase) == .invalidNetworkName(0))
    }

    @Test func aPassphraseHasEightToSixtyThreePrintableCharacters() {
        #expect(Self.network("Home", String(repeating: "a", count: 8)) == nil)
        #expect(Self.network("Home", String(repeating: "~", count: 63)) == nil)
        #expect(Self.network("Home", String(repeating: "a", count: 7)) == .invalidPassphrase(7))
        #expect(Self.network("Home", String(repeating: "a", count: 64)) == .invalidPassphrase(64))
        #expect(Self.network("Home", "") == .invalidPassphrase(0))
        for character in ["ä", "\u{7F}", "\n", "\u{0}"] {
            #expect(Self.network("Home", "12345678" + character) == .invalidPassphraseCharacter)
        }
    }

    @Test func noDescriptionContainsThePassphrase() throws {
        let network = try NetworkCredentials(name: "Home", passphrase: "correct horse")
        let configuration = SetupConfiguration(network: network)
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(network)", String(reflecting: network), "\(configuration)", dumped] {
            #expect(text.contains("Home") && !text.contains("horse"), "\(text)")
        }
    }

    // MARK: Bytes

    @Test func aConfigurationHasItsElementsInTheOrderOfTheirTypes() throws {
        let network = try NetworkCredentials(name: "Net", passphrase: "12345678")
        let bytes = try SetupConfiguration(network: network, name: "Lamp").encoded()
        #expect(
            bytes == [0x08, 4] + Array("Lamp".utf8) + [0x0B, 8] + Array("12345678".utf8) + [0x0C, 3]
                + Array("Net".utf8)
        )
        #expect(try SetupConfiguration(decoding: bytes) == SetupConfiguration(network: network, name: "Lamp"))
    }

    @Test func unknownElementsAreIgnored() throws {
        let network = try NetworkCredentials(name: "Net", passphrase: "12345678")
        let bytes = [0x04, 2] + Array("en".utf8) + (try SetupConfiguration(network: network).encoded()) + [0x77, 1, 9]
        #expect(try SetupConfiguration(decoding: bytes).network == network)
    }

    @Test func aMalformedConfigurationIsRejected() throws {
        let network = try NetworkCredentials(name: "Net", passphrase: "12345678")
        let bytes = try SetupConfiguration(network: network).encoded()
        for count in 0..<bytes.count {
            guard case .malformedMessage? = Self.error(decoding: Array(bytes.prefix(count))) else {
                Issue.record("\(count) bytes were accepted")
                continue
            }
        }
        guard case .malformedMessage? = Self.error(decoding: bytes + bytes) else {
            Issue.record("Repeated elements were accepted.")
            return
        }
        guard case .malformedMessage? = Self.error(decoding: [0x0C, 2, 0xC3, 0x28] + bytes.prefix(10)) else {
            Issue.record("A name that isn't UTF-8 was accepted.")
            return
        }
        #expect(Self.error(decoding: [0x0B, 7] + Array("1234567".utf8) + [0x0C, 1, 65]) == .invalidPassphrase(7))
        #expect(
            Self.error(decoding: [0x0B, 8] + Array("12345678".utf8) + [0x0C, 33] + [UInt8](repeating: 65, count: 33))
                == .invalidNetworkName(33)
        )
    }

    @Test func aMessageHasAtMostFourKibibytes() throws {
        let network = try NetworkCredentials(name: "Net", passphrase: "12345678")
        let bytes = try SetupConfiguration(network: network).encoded()
        // A full fragment continues in the next item of the same type.
        let filler = { (count: Int) in
            var elements = TLV8()
            elements.append(TLVType(rawValue: 0x77), [UInt8](repeating: 0, count: count))
            return elements.encoded()
        }
        let room = 4_096 - bytes.count
        let fitting = filler(room - 2 * ((room + 256) / 257))
        #expect((4_090...4_096).contains(fitting.count + bytes.count))
        #expect(Self.error(decoding: fitting + bytes) == nil)
        #expect(Self.error(decoding: filler(4_096) + bytes) == .messageTooLong)
    }

    @Test func informationCanBeEmpty() throws {
        #expect(try SetupInformation(decoding: []) == SetupInformation())
        let full = SetupInformation(
            name: "a",
            manufacturer: "b",
            model: "c",
            serialNumber: "d",
            firmwareRevision: "e",
            hardwareRevision: "f"
        )
        #expect(try SetupInformation(decoding: try full.encoded()) == full)
    }

    // MARK: Advertisements

    private static func advertisement(_ seed: UInt32 = 0, _ id: String = "02:00:00:00:00:01") throws
        -> SetupAdvertisement
    {
        SetupAdvertisement(deviceID: try #require(DeviceID(id)), seed: seed, manufacturer: "Maker", model: "M=1")
    }

    @Test func anAdvertisementIsReadAsItWasWritten() throws {
        var advertisement = try Self.advertisement(7)
        advertisement.network = "Lamp Setup"
        advertisement.features = [.airPlay, .homeKit]
        let entries = Dictionary(uniqueKeysWithValues: advertisement.entries.map { ($0.key, $0.value) })
        #expect(entries["deviceid"] == "02:00:00:00:00:01" && entries["seed"] == "7")
        #expect(entries["supports"] == "airplay,homekit" && entries["features"] == "4")
        #expect(SetupAdvertisement { entries[$0] } == advertisement)
    }

    @Test func anAdvertisementWithoutDeviceIDOrOfAnotherKindIsIgnored() throws {
        let entries = Dictionary(uniqueKeysWithValues: try Self.advertisement().entries.map { ($0.key, $0.value) })
        #expect(SetupAdvertisement { $0 == "deviceid" ? nil : entries[$0] } == nil)
        #expect(SetupAdvertisement { $0 == "deviceid" ? "lamp" : entries[$0] } == nil)
        #expect(SetupAdvertisement { $0 == "features" ? "0x3" : entries[$0] } == nil)
        #expect(SetupAdvertisement { $0 == "features" ? "0x1c" : entries[$0] } != nil)
    }

    @Test func onlyANewSeedShowsTheOutcome() throws {
        let monitor = JoinMonitor(try Self.advertisement(3))
        #expect(monitor.outcome(of: try Self.advertisement(3), at: .setup) == nil)
        #expect(monitor.outcome(of: try Self.advertisement(3), at: .home) == nil)
        #expect(monitor.outcome(of: try Self.advertisement(4), at: .home) == .joined)
        #expect(monitor.outcome(of: try Self.advertisement(4), at: .setup) == .returned)
        // Another accessory in the home's network isn't this one.
        #expect(monitor.outcome(of: try Self.advertisement(4, "02:00:00:00:00:02"), at: .home) == nil)
    }
}
