import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// Envelopes and beats.
@Suite struct EnvelopeTests {
    private let hubKey = IdentityKey()
    private let key = GenerationKey()
    private let box = BoxKey()
    private let device = UUID()
    private let hub = UUID()
    private let address = FeedAddress(house: .random(), feed: .random())

    private func envelope(address: FeedAddress? = nil, generation: Int = 3, device: UUID? = nil) throws -> Envelope {
        try #require(
            Envelope(
                key,
                generation: generation,
                of: address ?? self.address,
                to: device ?? self.device,
                box.publicBox,
                hub: hub,
                by: hubKey
            )
        )
    }

    @Test func theDevicesBoxOpensItsEnvelope() throws {
        let envelope = try envelope()
        let read = try #require(Envelope(envelope.bytes))
        #expect(read == envelope)
        #expect(read.isSigned(by: hubKey.publicKey))
        #expect(read.open(with: box, from: hubKey.publicKey) == key)
        #expect(read.open(with: BoxKey(), from: hubKey.publicKey) == nil, "another box")
        #expect(read.open(with: box, from: IdentityKey().publicKey) == nil, "another hub")
        #expect(!read.isSigned(by: IdentityKey().publicKey))
    }

    @Test func anEnvelopeIsForOneFeedGenerationAndDevice() throws {
        // A message of the envelope of one is put into that of another, and signed anew.
        let text = String(decoding: try envelope().bytes, as: UTF8.self)
        let message = try #require(text.firstMatch(of: /"ct":"([^"]*)","enc":"([^"]*)"/))
        let others = [
            try envelope(address: FeedAddress(house: .random(), feed: address.feed)),
            try envelope(address: FeedAddress(house: address.house, feed: .random())),
            try envelope(generation: 4), try envelope(device: UUID()),
        ]
        for other in others {
            let line = try #require(String(decoding: other.bytes, as: UTF8.self).split(separator: "\n").first)
            let swapped = line.replacing(/"ct":"[^"]*","enc":"[^"]*"/, with: message.output.0)
            let bytes = SignedLine(Array(swapped.utf8), by: hubKey, for: .envelope).bytes
            let read = try #require(Envelope(bytes))
            #expect(read.isSigned(by: hubKey.publicKey))
            #expect(read.open(with: box, from: hubKey.publicKey) == nil)
        }
    }

    @Test func anEnvelopeOrABeatOfWhichAnyByteWasAlteredIsNotTheHubs() throws {
        let envelope = try envelope().bytes
        let beat = FeedBeat(.start, of: address, at: 1, hub: hub, by: hubKey).bytes
        for bytes in [envelope, beat] {
            for offset in bytes.indices {
                var altered = bytes
                altered[offset] ^= 1
                #expect(Envelope(altered)?.isSigned(by: hubKey.publicKey) ?? false == false, "byte \(offset)")
                #expect(FeedBeat(altered)?.isSigned(by: hubKey.publicKey) ?? false == false, "byte \(offset)")
            }
            #expect(Envelope(bytes + [0]) == nil && FeedBeat(bytes + [0]) == nil)
            #expect(Envelope(bytes.dropLast()) == nil && FeedBeat(bytes.dropLast()) == nil)
        }
    }

    @Test func aSignatureForOnePurposeIsNotValidForAnother() throws {
        let entry = FeedBeat(.start, of: address, at: 1, hub: hub, by: hubKey)
        let line = Array(entry.bytes.prefix { $0 != UInt8(ascii: "\n") })
        let forged = SignedLine(line, by: hubKey, for: .envelope).bytes
        #expect(FeedBeat(forged)?.isSigned(by: hubKey.publicKey) == false)
    }

    @Test func aLongerLineIsRefused() throws {
        let spaces = String(repeating: " ", count: FeedLimits.envelopeBytes)
        let line = try #require(String(decoding: try envelope().bytes, as: UTF8.self).split(separator: "\n").first)
        for (length, isRead) in [(FeedLimits.envelopeBytes, true), (FeedLimits.envelopeBytes + 1, false)] {
            let padded = line.dropLast() + spaces.prefix(length - line.utf8.count) + "}"
            let bytes = SignedLine(Array(padded.utf8), by: hubKey, for: .envelope).bytes
            #expect((Envelope(bytes) != nil) == isRead)
        }
    }

    @Test func aDeviceWhoseBoxIsNotAKeyGetsNoEnvelope() throws {
        // Coefficients of ML-KEM beyond its modulus.
        let box = try #require(PublicBox([UInt8](repeating: 0xFF, count: PublicBox.byteCount)))
        #expect(box.seal([1], info: [], authenticating: []) == nil)
        #expect(PublicBox([1]) == nil)
        let hub = FeedHub(devices: [device: box, UUID(): BoxKey().publicBox])
        var writer = hub.writer
        #expect(writer.beginGeneration(for: hub.devices, at: 1).count == 1)
        #expect(throws: FeedError.invalidBox) { try writer.envelope(for: device, box) }
    }

    @Test func aBoxIsMadeAgainFromItsSeed() throws {
        let same = try #require(BoxKey(seed: box.seed))
        #expect(same.publicBox == box.publicBox)
        #expect(BoxKey(seed: [1, 2]) == nil)
        let json = try JSONEncoder().encode([box.publicBox])
        #expect(try JSONDecoder().decode([PublicBox].self, from: json) == [box.publicBox])
    }
}
