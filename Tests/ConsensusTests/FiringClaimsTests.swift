import Consensus
import Foundation
import Testing

@Suite struct FiringClaimsTests {
    static let hub = LoneHub.own
    let occurrence = SimulatedMachine.occurrence(1)

    func claim(term: Int, hub: UUID = Self.hub) -> Claim { Claim(occurrence: occurrence, hub: hub, term: term) }

    func leader(term: Int = 1, now: Duration = .zero) -> FiringClaims {
        var claims = FiringClaims(hub: Self.hub)
        _ = claims.beginLeading(term: term, open: [], isClaimed: { _ in false }, now: now)
        return claims
    }

    @Test func `only a hub that leads claims, and it fires once its claim is committed`() {
        var follower = FiringClaims(hub: Self.hub)
        #expect(follower.fallDue(occurrence, due: .zero, now: .zero) == [])
        var claims = leader()
        #expect(claims.fallDue(occurrence, due: .seconds(1), now: .seconds(1)) == [.propose([claim(term: 1)])])
        #expect(claims.fallDue(occurrence, due: .seconds(1), now: .seconds(1)) == [])
        let fired = claims.apply(claim(term: 1), isFirst: true, now: .seconds(2))
        #expect(fired == [.fire(occurrence, WriteFence(due: .seconds(1)))])
        #expect(claims.apply(claim(term: 1), isFirst: true, now: .seconds(2)) == [.miss(occurrence, .late)])
    }

    @Test func `a claim that is not the first, of another hub, or of another term fires nothing`() {
        for (claim, isFirst) in [
            (claim(term: 1), false), (claim(term: 1, hub: LoneHub.other), true), (claim(term: 2), true),
        ] {
            var claims = leader()
            _ = claims.fallDue(occurrence, due: .zero, now: .zero)
            #expect(claims.apply(claim, isFirst: isFirst, now: .zero) == [])
        }
        var former = leader()
        _ = former.fallDue(occurrence, due: .zero, now: .zero)
        former.endLeading()
        #expect(former.apply(claim(term: 1), isFirst: true, now: .zero) == [])
    }

    @Test func `an occurrence is carried out up to ten seconds after it fell due`() {
        for (time, isInTime) in [(Duration.seconds(10), true), (.milliseconds(10_001), false)] {
            var claims = leader()
            _ = claims.fallDue(occurrence, due: .zero, now: .zero)
            let effects = claims.apply(claim(term: 1), isFirst: true, now: time)
            #expect(effects == [isInTime ? .fire(occurrence, WriteFence(due: .zero)) : .miss(occurrence, .late)])
        }
        let fence = WriteFence(due: .seconds(5))
        #expect(fence.allowsWrite(at: .seconds(15)) && !fence.allowsWrite(at: .milliseconds(15_001)))
    }

    @Test func `what a hub notices too late is not carried out`() {
        for (now, isInTime) in [(Duration.seconds(10), true), (.seconds(11), false), (.seconds(3_600), false)] {
            var claims = leader()
            let effects = claims.fallDue(occurrence, due: .zero, now: now)
            #expect(effects == [isInTime ? .propose([claim(term: 1)]) : .miss(occurrence, .late)])
        }
    }

    @Test func `after a takeover, what fell due in the last ten seconds and has no claim is claimed`() {
        var claims = FiringClaims(hub: Self.hub)
        let others = (2...4).map { SimulatedMachine.occurrence($0) }
        _ = claims.fallDue(others[0], due: .zero, now: .zero)
        _ = claims.fallDue(occurrence, due: .seconds(1), now: .seconds(1))
        _ = claims.fallDue(others[1], due: .seconds(2), now: .seconds(2))
        let effects = claims.beginLeading(
            term: 4,
            open: [],
            isClaimed: { $0 == others[1] },
            now: .milliseconds(10_500)
        )
        #expect(effects == [.miss(others[0], .late), .propose([claim(term: 4)])])
    }

    @Test func `a claim without an end is told as unknown at a takeover, and never carried out`() {
        var claims = FiringClaims(hub: Self.hub)
        _ = claims.fallDue(occurrence, due: .zero, now: .zero)
        let open = claim(term: 1, hub: LoneHub.other)
        #expect(claims.beginLeading(term: 2, open: [open], isClaimed: { _ in true }, now: .zero) == [.unknown(open)])
    }

    @Test func `events of the first two seconds after a takeover are ignored`() {
        var claims = leader(now: .seconds(5))
        #expect(claims.happen(occurrence, now: .milliseconds(6_999)) == [.miss(occurrence, .takeover)])
        #expect(claims.happen(occurrence, now: .seconds(7)) == [.propose([claim(term: 1)])])
        var follower = FiringClaims(hub: Self.hub)
        #expect(follower.happen(occurrence, now: .zero) == [])
    }

    @Test func `a hub remembers so many occurrences and gives up the oldest`() {
        var claims = FiringClaims(hub: Self.hub)
        for number in 1...FiringTimes.rememberedOccurrences {
            #expect(claims.fallDue(SimulatedMachine.occurrence(number), due: .zero, now: .zero) == [])
        }
        #expect(
            claims.fallDue(SimulatedMachine.occurrence(-1), due: .zero, now: .zero) == [.miss(occurrence, .tooMany)]
        )
    }
}
