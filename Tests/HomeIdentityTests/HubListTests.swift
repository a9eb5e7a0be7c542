import Crypto
import Foundation
import Testing

@testable import HomeIdentity

/// A hub with its secret keys.
private struct TestHub {
    let id: UUID
    let key = IdentityKey()
    let box = BoxKey()

    init(_ id: UUID = UUID()) { self.id = id }

    var member: HubMember { HubMember(id: id, key: key.publicKey, box: box.publicBox) }
}

@Suite struct HubListTests {
    private let first = TestHub()
    private let second = TestHub()
    private let stranger = TestHub()

    private func pair() throws -> HubList { try HubList(founder: first.member).adding(second.member) }

    private func refusal(_ pinned: inout PinnedHubs, _ bytes: [UInt8]) -> HubListError.Code? {
        let before = pinned
        do throws(HubListError) {
            _ = try pinned.take(bytes)
            return nil
        } catch {
            #expect(pinned == before, "a refused list changes something")
            return error.code
        }
    }

    // MARK: Making lists

    @Test func eachChangeHasALargerNumber() throws {
        let alone = HubList(founder: first.member)
        let pair = try alone.adding(second.member)
        let left = try pair.removing(first.id)
        #expect(alone.sequence == 1 && pair.sequence == 2 && left.sequence == 3)
        #expect(pair.members == [first.member, second.member])
        #expect(left.members == [second.member])
    }

    @Test func aThirdHubIsRefused() throws {
        let error = #expect(throws: HubListError.self) { try pair().adding(stranger.member) }
        #expect(error?.code == .tooManyHubs)
    }

    @Test func aHubIsAddedOnce() throws {
        let list = HubList(founder: first.member)
        let doubles = [
            first.member,
            HubMember(id: first.id, key: second.key.publicKey, box: second.box.publicBox),
            HubMember(id: second.id, key: first.key.publicKey, box: second.box.publicBox),
            HubMember(id: second.id, key: second.key.publicKey, box: first.box.publicBox),
        ]
        for double in doubles {
            #expect(#expect(throws: HubListError.self) { try list.adding(double) }?.code == .alreadyMember)
            let error = #expect(throws: HubListError.self) {
                try HubList(sequence: 2, members: [first.member, double])
            }
            #expect(error?.code == .malformed)
        }
    }

    @Test func aHubWhoseBoxIsNoKeyIsRefused() throws {
        let box = try #require(PublicBox([UInt8](repeating: 0xFF, count: PublicBox.byteCount)))
        let member = HubMember(id: second.id, key: second.key.publicKey, box: box)
        let error = #expect(throws: HubListError.self) { try HubList(founder: first.member).adding(member) }
        #expect(error?.code == .malformed)
    }

    @Test func theLastHubStays() throws {
        let alone = HubList(founder: first.member)
        #expect(#expect(throws: HubListError.self) { try alone.removing(first.id) }?.code == .lastHub)
        #expect(#expect(throws: HubListError.self) { try alone.removing(second.id) }?.code == .notMember)
    }

    @Test func numbersEndAtTheLargest() throws {
        let last = try HubList(sequence: HubListLimits.maximumSequence, members: [first.member])
        #expect(#expect(throws: HubListError.self) { try last.adding(second.member) }?.code == .exhausted)
        for number in [0, -1, HubListLimits.maximumSequence + 1] {
            let error = #expect(throws: HubListError.self) {
                try HubList(sequence: number, members: [first.member])
            }
            #expect(error?.code == .malformed)
        }
    }

    // MARK: Bytes

    @Test func aListIsReadAsItWasWritten() throws {
        let signed = SignedHubList(try pair(), by: first.key)
        let read = try SignedHubList(signed.bytes)
        #expect(read == signed)
        #expect(read.list == (try pair()))
        #expect(read.isSigned(by: first.key.publicKey))
        #expect(!read.isSigned(by: second.key.publicKey))
        #expect(signed.bytes.count < HubListLimits.maximumLineBytes)
    }

    /// The bytes and the signature are those of Python's `json` and `cryptography` for the seed of RFC 8032, 7.1, test 1.
    @Test func aListThatPythonHasSignedIsRead() throws {
        let box = Data(repeating: 1, count: PublicBox.byteCount).base64EncodedString()
        let key = Data(IdentityKeyTests.publicKey).base64EncodedString()
        let line =
            #"{"hubs":[{"box":"\#(box)","id":"01010101-0101-0101-0101-010101010101","key":"\#(key)"}],"seq":7,"version":1}"#
        let signature =
            "0NqyMxP8ZXtwNEWAe4s5JacNO8U4vr5FmcWCXFd628dsXq+QtP8NOCi8YwjwVSHYXRNNTs2wlsN3VrwT6UNIDA=="
        let list = try SignedHubList(Array("\(line)\n\(signature)\n".utf8))
        let hub = try #require(PublicKey(IdentityKeyTests.publicKey))
        #expect(list.isSigned(by: hub))
        #expect(list.list.sequence == 7)
        #expect(list.list.keys == [hub])
    }

    @Test func bytesThatAreNoListAreRefused() throws {
        let first = first.member
        let box = first.box.bytes
        let json = { (text: String) in SignedLine(Array(text.utf8), by: self.first.key, for: .hubs).bytes }
        let hub = { (id: String, key: [UInt8], box: [UInt8]) in
            #"{"box":"\#(Data(box).base64EncodedString())","id":"\#(id)","key":"\#(Data(key).base64EncodedString())"}"#
        }
        let good = hub(first.id.uuidString, first.key.bytes, box)
        let texts: [(String, HubListError.Code)] = [
            ("", .malformed), ("[]", .malformed), ("{}", .malformed),
            (#"{"hubs":[\#(good)],"seq":1}"#, .malformed),
            (#"{"hubs":[\#(good)],"seq":1,"version":2}"#, .updateNeeded),
            (#"{"hubs":[],"seq":1,"version":1}"#, .malformed),
            (#"{"hubs":[\#(good),\#(good)],"seq":1,"version":1}"#, .malformed),
            (#"{"hubs":[\#(good)],"seq":0,"version":1}"#, .malformed),
            (#"{"hubs":[\#(good)],"seq":1.5,"version":1}"#, .malformed),
            (#"{"hubs":[\#(good)],"seq":9007199254740992,"version":1}"#, .malformed),
            // Other forms of the same values.
            (#"{"hubs":[\#(good)],"seq":1, "version":1}"#, .malformed),
            (#"{"seq":1,"hubs":[\#(good)],"version":1}"#, .malformed),
            (#"{"hubs":[\#(good)],"more":1,"seq":1,"version":1}"#, .malformed),
            (
                #"{"hubs":[\#(hub(first.id.uuidString.lowercased(), first.key.bytes, box))],"seq":1,"version":1}"#,
                .malformed
            ),
            (#"{"hubs":[\#(hub("x", first.key.bytes, box))],"seq":1,"version":1}"#, .malformed),
            (
                #"{"hubs":[\#(hub(first.id.uuidString, Array(first.key.bytes.dropLast()), box))],"seq":1,"version":1}"#,
                .malformed
            ),
            (#"{"hubs":[\#(hub(first.id.uuidString, first.key.bytes, box + [0]))],"seq":1,"version":1}"#, .malformed),
        ]
        for (text, code) in texts {
            var pinned = PinnedHubs(joined: first.key)
            #expect(refusal(&pinned, json(text)) == code, "\(text.prefix(40))")
        }
        var pinned = PinnedHubs(joined: first.key)
        #expect(refusal(&pinned, json(#"{"hubs":[\#(good)],"seq":1,"version":1}"#)) == nil)
    }

    @Test func threeHubsAreRefusedAlsoWhenSigned() throws {
        let members = [first, second, stranger].map { "\($0.id.uuidString)" }
        let hubs = zip(members, [first, second, stranger]).map { id, hub in
            #"{"box":"\#(Data(hub.box.publicBox.bytes).base64EncodedString())","id":"\#(id)","key":"\#(hub.key.publicKey)"}"#
        }
        let line = Array(#"{"hubs":[\#(hubs.joined(separator: ","))],"seq":3,"version":1}"#.utf8)
        #expect(line.count < HubListLimits.maximumLineBytes)
        var pinned = PinnedHubs(joined: first.key.publicKey)
        #expect(refusal(&pinned, SignedLine(line, by: first.key, for: .hubs).bytes) == .malformed)
    }

    @Test func aLineIsAsLongAsTheLimitAtMost() {
        for (count, code) in [
            (HubListLimits.maximumLineBytes, HubListError.Code.forged),
            (HubListLimits.maximumLineBytes + 1, .malformed),
        ] {
            let line = [UInt8](repeating: UInt8(ascii: " "), count: count)
            var pinned = PinnedHubs(joined: first.key.publicKey)
            #expect(refusal(&pinned, SignedLine(line, by: stranger.key, for: .hubs).bytes) == code)
        }
    }

    @Test func eachByteCounts() throws {
        let bytes = SignedHubList(try pair(), by: first.key).bytes
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            var pinned = PinnedHubs(joined: first.key.publicKey)
            let code = refusal(&pinned, altered)
            #expect(code == .forged || code == .malformed, "byte \(index)")
        }
        for count in [0, 1, bytes.count / 2, bytes.count - 1] {
            var pinned = PinnedHubs(joined: first.key.publicKey)
            #expect(refusal(&pinned, Array(bytes.prefix(count))) == .malformed)
        }
        var pinned = PinnedHubs(joined: first.key.publicKey)
        #expect(refusal(&pinned, bytes + [0]) == .malformed)
        #expect(refusal(&pinned, bytes) == nil)
    }

    @Test func aSignatureForAnotherPurposeIsNone() throws {
        let line = LineJSON.encode(["version": 1])
        var pinned = PinnedHubs(joined: first.key.publicKey)
        let other = SignedLine(line, by: first.key, for: SigningContext("hearth beat 1")).bytes
        #expect(refusal(&pinned, other) == .forged)
    }

    // MARK: What a device takes

    @Test func aDevicePinsTheHubThatItsOwnIntroduces() throws {
        var pinned = PinnedHubs(joined: first.key.publicKey)
        #expect(pinned.keys == [first.key.publicKey])
        let change = try pinned.take(SignedHubList(pair(), by: first.key).bytes)
        #expect(change == PinnedHubs.Change(pinned: [second.key.publicKey]))
        #expect(pinned.keys == [first.key.publicKey, second.key.publicKey])
    }

    @Test func aHubThatLeftIsNotBelievedAnyMore() throws {
        var pinned = PinnedHubs(joined: first.key.publicKey)
        _ = try pinned.take(SignedHubList(pair(), by: first.key).bytes)
        let alone = try pair().removing(first.id)
        let change = try pinned.take(SignedHubList(alone, by: second.key).bytes)
        #expect(change == PinnedHubs.Change(unpinned: [first.key.publicKey]))
        #expect(pinned.keys == [second.key.publicKey])
        // Whatever the hub that left signs now is somebody else's.
        let back = try alone.adding(first.member)
        #expect(refusal(&pinned, SignedHubList(back, by: first.key).bytes) == .forged)
        // The hub that stayed can let it in again.
        #expect(try pinned.take(SignedHubList(back, by: second.key).bytes).pinned == [first.key.publicKey])
    }

    @Test func aListOfAHubThatIsNotPinnedIsRefused() throws {
        var pinned = PinnedHubs(joined: first.key.publicKey)
        #expect(refusal(&pinned, SignedHubList(try pair(), by: second.key).bytes) == .forged)
        #expect(refusal(&pinned, SignedHubList(try pair(), by: stranger.key).bytes) == .forged)
    }

    @Test func anOlderListIsRefused() throws {
        var pinned = PinnedHubs(joined: first.key.publicKey)
        let pair = try pair()
        _ = try pinned.take(SignedHubList(pair, by: first.key).bytes)
        #expect(refusal(&pinned, SignedHubList(HubList(founder: first.member), by: first.key).bytes) == .outdated)
        _ = try pinned.take(SignedHubList(pair.removing(second.id), by: first.key).bytes)
        #expect(refusal(&pinned, SignedHubList(pair, by: first.key).bytes) == .outdated)
    }

    @Test func theSameListChangesNothingWhoeverSignsIt() throws {
        var pinned = PinnedHubs(joined: first.key.publicKey)
        let pair = try pair()
        let signed = SignedHubList(pair, by: first.key)
        _ = try pinned.take(signed.bytes)
        #expect(try pinned.take(signed.bytes) == PinnedHubs.Change())
        #expect(try pinned.take(SignedHubList(pair, by: second.key).bytes) == PinnedHubs.Change())
        #expect(pinned.list == signed)
    }

    @Test func twoListsWithOneNumberAreAFork() throws {
        var pinned = PinnedHubs(joined: first.key.publicKey)
        _ = try pinned.take(SignedHubList(pair(), by: first.key).bytes)
        let other = try HubList(founder: first.member).adding(stranger.member)
        #expect(refusal(&pinned, SignedHubList(other, by: first.key).bytes) == .forked)
        #expect(pinned.keys == [first.key.publicKey, second.key.publicKey])
    }

    @Test func aListThatReplacesEveryHubIsRefused() throws {
        var pinned = PinnedHubs(joined: first.key.publicKey)
        let others = try HubList(sequence: 9, members: [second.member, stranger.member])
        #expect(refusal(&pinned, SignedHubList(others, by: first.key).bytes) == .discontinuous)
        // One hub at a time can be replaced, also in one step.
        _ = try pinned.take(SignedHubList(pair(), by: first.key).bytes)
        let replaced = try HubList(sequence: 9, members: [first.member, stranger.member])
        let change = try pinned.take(SignedHubList(replaced, by: second.key).bytes)
        #expect(change.pinned == [stranger.key.publicKey] && change.unpinned == [second.key.publicKey])
    }

    @Test func whatWasTakenLastsOverARestart() throws {
        var pinned = PinnedHubs(joined: first.key.publicKey)
        _ = try pinned.take(SignedHubList(pair(), by: first.key).bytes)
        let stored = try PinnedHubs(joined: first.key.publicKey, list: pinned.list?.bytes)
        #expect(stored == pinned)
        #expect(try PinnedHubs(joined: first.key.publicKey, list: nil).keys == [first.key.publicKey])
        let bytes = Array("damaged".utf8)
        #expect(throws: HubListError.self) { try PinnedHubs(joined: first.key.publicKey, list: bytes) }
    }
}
