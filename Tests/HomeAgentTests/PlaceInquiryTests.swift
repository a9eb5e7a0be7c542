import Testing

@testable import HomeAgent

/// When an agent asks its hub again where the feed is.
@Suite struct PlaceInquiryTests {
    /// Returns the heartbeats, of so many, at which the hub is asked.
    private func questions(_ inquiry: inout PlaceInquiry, in heartbeats: Int) -> [Int] {
        (1...heartbeats).filter { _ in inquiry.heartbeat() }
    }

    @Test func aHubThatHasSaidIsNotAsked() {
        var inquiry = PlaceInquiry()
        var asked = questions(&inquiry, in: 10)
        inquiry.hubIsNear()
        #expect(inquiry.isOpen)
        inquiry.answered(isSettled: true)
        asked += questions(&inquiry, in: 10)
        #expect(!inquiry.isOpen && asked.isEmpty)
    }

    @Test func aRelayThatGoesOnLyingCostsTheHubLittle() {
        var inquiry = PlaceInquiry()
        inquiry.hubIsNear()
        inquiry.answered(isSettled: true)
        var asked: [Int] = []
        inquiry.contradicted()
        for heartbeat in 1...2_000 where inquiry.heartbeat() {
            asked.append(heartbeat)
            inquiry.answered(isSettled: true)
            inquiry.contradicted()
        }
        #expect(asked.prefix(6) == [1, 3, 7, 15, 31, 63])
        #expect(zip(asked.dropFirst(), asked).map { $0 - $1 }.max() == AgentLimits.placeHeartbeats)
        #expect(asked.count < 18, "a day has 5,760 heartbeats")
    }

    @Test func aRelayThatAgreesAgainIsAsGoodAsNew() {
        var inquiry = PlaceInquiry()
        inquiry.hubIsNear()
        _ = questions(&inquiry, in: 100)
        inquiry.agreed()
        #expect(inquiry.isOpen, "the relay can't answer for the hub")
        inquiry.answered(isSettled: true)
        inquiry.agreed()
        inquiry.contradicted()
        let asks = inquiry.heartbeat()
        #expect(asks)
    }
}
