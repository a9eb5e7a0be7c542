import Consensus
import Testing

@Suite struct MessageTests {
    static let position = BatchPosition(place: 812, term: 7)

    static let messages: [VoterMessage] = [
        .voteRequest(VoteRequest(term: 8, last: position, isTrial: true)),
        .voteReply(VoteReply(term: 8, requestTerm: 9, isTrial: false, isGranted: true, last: position)),
        .appendRequest(
            AppendRequest(
                term: 8,
                previous: position,
                batches: [
                    Batch(BatchPosition(place: 813, term: 7), bytes: [1, 2, 3]),
                    Batch(BatchPosition(place: 814, term: 8)),
                ],
                committed: 811,
                settled: 810
            )
        ),
        .appendReply(AppendReply(term: 8, previous: 812, isMatch: true, place: 814, isFull: true)),
        .fetchRequest(FetchRequest(after: position)),
        .fetchReply(FetchReply(previous: position, batches: LoneHub.batches([7, 8], after: 812), last: position)),
        .fetchReply(FetchReply(previous: .start, batches: [], last: position, base: position)),
    ]

    @Test(arguments: messages)
    func `a message is read as it was written`(message: VoterMessage) {
        #expect(VoterMessage(message.bytes) == message)
    }

    @Test(arguments: messages)
    func `bytes are the only form of their message`(message: VoterMessage) {
        let bytes = message.bytes
        for count in bytes.indices { #expect(VoterMessage(Array(bytes.prefix(count))) == nil) }
        #expect(VoterMessage(bytes + [0]) == nil)
        for index in bytes.indices {
            for flip in [1, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] ^= flip
                guard let other = VoterMessage(changed) else { continue }
                #expect(other != message && other.bytes == changed)
            }
        }
    }

    @Test func `the bytes are those of the first version`() {
        let message = VoterMessage.voteRequest(VoteRequest(term: 258, last: Self.position, isTrial: true))
        let numbers: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 3, 44, 0, 0, 0, 0, 0, 0, 0, 7]
        #expect(message.bytes == [1, 1] + numbers + [1])
    }

    @Test func `numbers, batches and their number have limits`() {
        func request(_ count: Int, bytes: Int, term: Int = 1) -> VoterMessage {
            let batches = (0..<count).map { number in
                Batch(BatchPosition(place: number + 1, term: 1), bytes: Array(repeating: 0, count: bytes))
            }
            let request = AppendRequest(term: term, previous: .start, batches: batches, committed: 0, settled: 0)
            return .appendRequest(request)
        }
        let limit = ConsensusLimits.maximumNumber
        #expect(VoterMessage(request(0, bytes: 0, term: limit - 1).bytes) != nil)
        #expect(VoterMessage(request(0, bytes: 0, term: limit).bytes) == nil)
        #expect(VoterMessage(request(ConsensusLimits.batchesPerMessage, bytes: 0).bytes) != nil)
        #expect(VoterMessage(request(ConsensusLimits.batchesPerMessage + 1, bytes: 0).bytes) == nil)
        #expect(VoterMessage(request(1, bytes: ConsensusLimits.batchBytes).bytes) != nil)
        #expect(VoterMessage(request(1, bytes: ConsensusLimits.batchBytes + 1).bytes) == nil)
        #expect(VoterMessage(request(3, bytes: ConsensusLimits.batchBytes * 2 / 3).bytes) == nil)
    }

    @Test func `the largest message that a log makes is within the limit`() {
        var log = BatchLog()
        for place in 1...ConsensusLimits.batchesPerMessage {
            let isLast = place == ConsensusLimits.batchesPerMessage
            let size = isLast ? ConsensusLimits.batchBytes : ConsensusLimits.messageBatchBytes / 64
            log.append(Batch(BatchPosition(place: place, term: 1), bytes: Array(repeating: 0, count: size)))
        }
        var largest = 0
        for start in 0..<ConsensusLimits.batchesPerMessage {
            let batches = log.batches(after: start)
            let request = AppendRequest(term: 1, previous: .start, batches: batches, committed: 0, settled: 0)
            largest = max(largest, VoterMessage.appendRequest(request).bytes.count)
        }
        #expect(largest > ConsensusLimits.batchBytes && largest <= ConsensusLimits.messageBytes)
    }
}
