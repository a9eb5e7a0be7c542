import Crypto
import Testing

@testable import WirelessSetup

struct SetupExchangeTests {
    private static func configuration() throws -> SetupConfiguration {
        SetupConfiguration(network: try NetworkCredentials(name: "Home", passphrase: "correct horse"))
    }

    /// Returns both sides after the exchange of keys.
    private static func exchanged() throws -> (controller: SetupController, accessory: SetupResponder) {
        var controller = SetupController()
        var accessory = SetupResponder(information: SetupInformation(name: "Lamp"))
        try controller.handleExchange(try accessory.exchange(controller.exchangeRequest))
        return (controller, accessory)
    }

    private static func error(_ body: () throws -> Void) -> WirelessSetupError? {
        do {
            try body()
            return nil
        } catch {
            return error as? WirelessSetupError
        }
    }

    /// The key stream that `Tests/Peers/wireless_setup.py` computes for the private keys 01…01 and 02…02.
    private static let keyStream =
        "268edbcafddfa0b112e192f2a2d5918389c9c9d71606c0bc123ce6bcf44d8efe1a546134173bcf31a930ab1adbd01ce1"
        + "c7437af5bba7081e86e2233fcac53c1e33656d9be76c47a2971dd6460d68485995b212681b6ea2b021d08a081adfee10"

    @Test func theKeyStreamIsThatOfThePeerWhereverItIsCut() throws {
        let own = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
        let peer = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 2, count: 32))
        let publicKey = Array(peer.publicKey.rawRepresentation)
        for lengths in [[96], [64, 32], [1, 15, 16, 17, 47], [5, 6, 85]] {
            var cipher = try KeyExchange.cipher(own, with: publicKey)
            let stream = try lengths.flatMap { try cipher.apply(to: [UInt8](repeating: 0, count: $0)) }
            #expect(Hex.text(stream) == Self.keyStream, "\(lengths)")
        }
    }

    @Test func aConfigurationReachesTheAccessoryAndItsReplyTheController() throws {
        var (controller, accessory) = try Self.exchanged()
        let body = try controller.configure(try Self.configuration())
        let (configuration, reply) = try accessory.configure(body)
        #expect(configuration == (try Self.configuration()))
        #expect(try controller.handleConfiguration(reply) == SetupInformation(name: "Lamp"))
    }

    @Test func theNetworkIsNotReadableOnTheWire() throws {
        var (controller, _) = try Self.exchanged()
        let body = try controller.configure(try Self.configuration())
        #expect(!String(decoding: body, as: UTF8.self).contains("Home"))
        #expect(body.count == (try Self.configuration().encoded().count))
    }

    /// Flips each bit of the reply to the exchange. None leads to a configuration that is sent.
    @Test func aReplyWithAFlippedBitIsRejected() throws {
        for index in 0..<136 {
            var controller = SetupController()
            var accessory = SetupResponder(information: SetupInformation())
            var reply = try accessory.exchange(controller.exchangeRequest)
            #expect(reply.count == 136)
            reply[index] ^= 1 << UInt8(index % 7)
            #expect(Self.error { try controller.handleExchange(reply) } != nil, "byte \(index)")
            #expect(Self.error { _ = try controller.configure(try Self.configuration()) } == .outOfOrder)
        }
    }

    @Test func aTruncatedOrExtendedReplyIsRejected() throws {
        var accessory = SetupResponder(information: SetupInformation())
        let controller = SetupController()
        let reply = try accessory.exchange(controller.exchangeRequest)
        for count in [0, 1, 31, 32, 35, 36, 68, 71, 72, 135] {
            var controller = controller
            #expect(
                Self.error { try controller.handleExchange(Array(reply.prefix(count))) }
                    == .malformedMessage("the key exchange is truncated")
            )
        }
        var extended = controller
        #expect(
            Self.error { try extended.handleExchange(reply + [0]) }
                == .malformedMessage("the key exchange has 1 extra bytes")
        )
        var oversized = controller
        #expect(
            Self.error { try oversized.handleExchange([UInt8](repeating: 0, count: 4_097)) } == .messageTooLong
        )
    }

    @Test func theCertificateOfAChipIsNotAccepted() throws {
        var controller = SetupController()
        let key = Curve25519.KeyAgreement.PrivateKey()
        let reply = KeyExchange.Reply(
            publicKey: Array(key.publicKey.rawRepresentation),
            certificate: [0x30, 0x82] + [UInt8](repeating: 7, count: 900),
            sealedSignature: [UInt8](repeating: 0, count: 128)
        )
        #expect(Self.error { try controller.handleExchange(reply.body) } == .unsupportedCertificate)
    }

    @Test(arguments: [[], [1], [UInt8](repeating: 1, count: 32), [9] + [UInt8](repeating: 1, count: 32)])
    func aMalformedExchangeIsRejectedByTheAccessory(body: [UInt8]) {
        var accessory = SetupResponder(information: SetupInformation())
        guard case .malformedMessage? = Self.error({ _ = try accessory.exchange(body) }) else {
            Issue.record("\(body.count) bytes were accepted")
            return
        }
    }

    @Test func aPublicKeyOfLowOrderIsRejectedByBothSides() throws {
        var accessory = SetupResponder(information: SetupInformation())
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(Self.error { _ = try accessory.exchange([1] + zero) } == .invalidKey)
        var controller = SetupController()
        let reply = KeyExchange.Reply(publicKey: zero, certificate: zero, sealedSignature: zero + zero)
        #expect(Self.error { try controller.handleExchange(reply.body) } == .invalidKey)
    }

    @Test func messagesOutOfOrderAreRejected() throws {
        var accessory = SetupResponder(information: SetupInformation())
        #expect(Self.error { _ = try accessory.configure([0]) } == .outOfOrder)
        var controller = SetupController()
        #expect(Self.error { _ = try controller.configure(try Self.configuration()) } == .outOfOrder)
        #expect(Self.error { _ = try controller.handleConfiguration([]) } == .outOfOrder)
    }

    @Test func anAccessoryIsConfiguredOnce() throws {
        var (controller, accessory) = try Self.exchanged()
        let body = try controller.configure(try Self.configuration())
        _ = try accessory.configure(body)
        #expect(Self.error { _ = try accessory.configure(body) } == .outOfOrder)
        #expect(Self.error { _ = try accessory.exchange(controller.exchangeRequest) } == .outOfOrder)
        #expect(Self.error { _ = try controller.configure(try Self.configuration()) } == .outOfOrder)
    }

    @Test func aConfigurationThatWasChangedOnTheWayIsMalformedOrOfAnotherNetwork() throws {
        let (controller, accessory) = try Self.exchanged()
        var sender = controller
        let body = try sender.configure(try Self.configuration())
        for index in body.indices {
            var receiver = accessory
            var changed = body
            changed[index] ^= 1
            // Counter mode doesn't authenticate. The accessory then doesn't find the network, which ends in a failure.
            if let received = try? receiver.configure(changed).configuration {
                #expect(received != (try Self.configuration()))
            }
        }
    }
}
