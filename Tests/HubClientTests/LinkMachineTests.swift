import Foundation
import HubAPI
@testable import HubClient
import Testing

/// The state machine of a client's link, without connections or timers.
struct LinkMachineTests {
    private static let lost = HubError(.connectionLost, "The hub ended the connection.")
    private static let absent = HubError(.noHub, "No hub answers.")

    private let run = UUID()
    private let client = UUID()
    private var link = LinkMachine(reconnects: true)

    private func welcome(run: UUID? = nil, keepsRequests: Bool? = nil) -> Welcome {
        Welcome(run: run ?? self.run, client: client, keepsRequests: keepsRequests)
    }

    /// Opens the link; the hub accepts it and sends its state.
    private mutating func start(keepsRequests: Bool? = nil) {
        _ = link.open()
        _ = link.welcomed(1, welcome(keepsRequests: keepsRequests))
        link.loaded()
    }

    /// Ends connection `number` after its calls were lost with it.
    private mutating func lose(_ calls: LinkMachine.CallID..., on number: Int) -> [LinkMachine.Action] {
        for call in calls { #expect(link.replied(call, on: number, Self.lost) == .wait) }
        return link.ended(number, Self.lost)
    }

    /// Makes connection `number` until its hello is sent.
    private mutating func reconnect(_ number: Int) -> [LinkMachine.Action] {
        #expect(link.retryIsDue() == [.connect(number)])
        return link.drained(number)
    }

    // MARK: Connecting

    @Test mutating func theFirstConnectionSaysHelloImmediately() {
        #expect(link.open() == [.connect(1), .greet(1, previous: nil)])
        #expect(link.open().isEmpty)
        #expect(link.welcomed(1, welcome()) == [.reportWelcome(welcome())])
    }

    @Test mutating func aLaterConnectionSaysHelloOnceTheEventsBeforeAreHandled() {
        start()
        #expect(
            link.ended(1, Self.lost) == [
                .log(Self.lost), .reportLoss(Self.lost, isGone: false), .scheduleRetry(failures: 0),
            ]
        )
        #expect(link.retryIsDue() == [.connect(2)])
        #expect(link.retryIsDue().isEmpty)
        #expect(link.drained(1).isEmpty)
        #expect(link.drained(2) == [.greet(2, previous: nil)])
        #expect(link.drained(2).isEmpty)
    }

    @Test mutating func failuresInARowAreCountedUntilTheHubSendsItsState() {
        _ = link.open()
        #expect(link.ended(1, Self.absent).last == .scheduleRetry(failures: 0))
        _ = reconnect(2)
        #expect(link.ended(2, Self.absent) == [.reportLoss(Self.absent, isGone: true), .scheduleRetry(failures: 1)])
        _ = reconnect(3)
        _ = link.welcomed(3, welcome())
        link.loaded()
        #expect(
            link.ended(3, Self.lost) == [
                .log(Self.lost), .reportLoss(Self.lost, isGone: false), .scheduleRetry(failures: 0),
            ]
        )
    }

    @Test mutating func theSameReasonIsLoggedOnce() {
        _ = link.open()
        #expect(link.ended(1, Self.absent).contains(.log(Self.absent)))
        _ = reconnect(2)
        #expect(!link.ended(2, Self.absent).contains(.log(Self.absent)))
        _ = reconnect(3)
        let other = HubError(.untrustedHub, "Another user runs it.")
        #expect(link.ended(3, other).contains(.log(other)))
    }

    @Test mutating func theSameReasonIsLoggedAgainOnceTheLinkHasWorked() {
        start()
        #expect(link.ended(1, Self.lost).contains(.log(Self.lost)))
        _ = reconnect(2)
        _ = link.welcomed(2, welcome())
        link.loaded()
        #expect(link.ended(2, Self.lost).contains(.log(Self.lost)))
    }

    @Test mutating func aHubThatAcceptedTheClientIsNotGoneWhenTheConnectionEnds() {
        _ = link.open()
        _ = link.ended(1, Self.absent)
        _ = reconnect(2)
        _ = link.welcomed(2, welcome())
        #expect(link.ended(2, Self.lost).contains(.reportLoss(Self.lost, isGone: false)))
    }

    @Test mutating func newsOfAnEarlierConnectionIsIgnored() {
        start()
        _ = link.ended(1, Self.lost)
        #expect(link.ended(1, Self.lost).isEmpty)
        _ = reconnect(2)
        #expect(link.welcomed(1, welcome()).isEmpty)
        #expect(link.refused(1, Self.absent).isEmpty)
        #expect(link.ended(1, Self.lost).isEmpty)
        #expect(link.welcomed(2, welcome()) == [.reportWelcome(welcome())])
    }

    @Test(arguments: [HubError.Code.appNotAllowed, .purposeMissing])
    func aDeniedClientIsTold(_ code: HubError.Code) {
        var link = LinkMachine(reconnects: true)
        let error = HubError(code, "No.")
        _ = link.open()
        let call = link.call(.init()).id
        #expect(link.refused(1, error) == [.reportDenial(error), .close(1)])
        // The connection ends because the client closes it. The reason is the hub's.
        #expect(link.replied(call, on: 1, Self.lost) == .complete(error))
        #expect(
            link.ended(1, Self.lost) == [.log(error), .reportLoss(error, isGone: false), .scheduleRetry(failures: 0)]
        )
        #expect(link.call(.init()).actions == [.fail(2, error)])
    }

    @Test mutating func aDenialAppliesToItsConnectionOnly() {
        let denial = HubError(.appNotAllowed, "No.")
        _ = link.open()
        let call = link.call(.init()).id
        _ = link.refused(1, denial)
        // The hub answers the calls that followed the hello before the connection ends.
        #expect(link.replied(call, on: 1, HubError(.notGreeted, "Say hello first.")) == .complete(denial))
        _ = link.ended(1, Self.lost)
        _ = reconnect(2)
        #expect(link.ended(2, Self.lost).contains(.reportLoss(Self.lost, isGone: true)))
    }

    @Test mutating func aHubOfAnotherVersionIsRefused() {
        _ = link.open()
        let far = Welcome(version: HubProtocol.version + 2, run: run)
        #expect(link.welcomed(1, far) == [.close(1)])
        #expect(link.ended(1, Self.lost).first == far.mismatch.map { .log($0) })
    }

    // MARK: Calls

    @Test mutating func callsFollowTheHelloAndTheirTimeStartsWithTheWelcome() {
        #expect(
            link.call(.init()).actions == [.fail(1, HubError(.noHub, "The connection to the hub is not open yet."))]
        )
        _ = link.open()
        #expect(link.call(.init()).actions == [.startTimeout(2, .greeting), .send(2, on: 1)])
        #expect(link.welcomed(1, welcome()) == [.startTimeout(2, .ordinary), .reportWelcome(welcome())])
        #expect(link.call(.init()).actions == [.startTimeout(3, .ordinary), .send(3, on: 1)])
    }

    @Test mutating func aReplyCompletesItsCallOnce() {
        start()
        let call = link.call(.init()).id
        #expect(link.replied(call, on: 1, nil) == .complete(nil))
        #expect(link.replied(call, on: 1, nil) == .ignore)
        let refused = link.call(.init()).id
        #expect(link.replied(refused, on: 1, Self.absent) == .complete(Self.absent))
    }

    @Test mutating func aLostCallIsMadeOnceMore() {
        start()
        let call = link.call(.init()).id
        _ = lose(call, on: 1)
        #expect(reconnect(2) == [.greet(2, previous: PreviousConnection(run: run, client: client))])
        #expect(link.welcomed(2, welcome()) == [.send(call, on: 2), .reportWelcome(welcome())])
        #expect(link.replied(call, on: 2, Self.lost) == .complete(Self.lost))
    }

    @Test mutating func aLostReadingNamesNoPreviousConnection() {
        start()
        let call = link.call(.init(isReading: true)).id
        _ = lose(call, on: 1)
        #expect(reconnect(2) == [.greet(2, previous: nil)])
        #expect(link.welcomed(2, welcome()) == [.send(call, on: 2), .reportWelcome(welcome())])
    }

    @Test mutating func aRestartedHubIsAskedAgainOnlyForWhatItCanRecognize() {
        for (isStored, isStoredNow) in [(true, true), (true, false), (false, true), (false, false)] {
            link = LinkMachine(reconnects: true)
            start(keepsRequests: isStored)
            let change = link.call(.init()).id
            let durable = link.call(.init(isDurable: true)).id
            let reading = link.call(.init(isReading: true)).id
            _ = lose(change, durable, reading, on: 1)
            _ = reconnect(2)
            let actions = link.welcomed(2, welcome(run: UUID(), keepsRequests: isStoredNow))
            #expect(actions.contains(.send(reading, on: 2)))
            #expect(!actions.contains(.send(change, on: 2)))
            #expect(actions.contains(.send(durable, on: 2)) == (isStored && isStoredNow))
            #expect(link.replied(change, on: 2, nil) == .ignore)
        }
    }

    @Test mutating func aCallInAGapWaitsForTheFirstRetry() {
        start()
        _ = link.ended(1, Self.lost)
        let first = link.call(.init())
        #expect(first.actions == [.startTimeout(first.id, .ordinary)])
        #expect(link.retryIsDue() == [.connect(2)])
        let second = link.call(.init())
        #expect(second.actions == [.startTimeout(second.id, .greeting)])
        // Nothing was lost, so there is nothing to name.
        #expect(link.drained(2) == [.greet(2, previous: nil)])
        // A call after the hello keeps its order behind those.
        let third = link.call(.init())
        #expect(third.actions == [.startTimeout(third.id, .greeting)])
        // The calls are new to a hub that restarted.
        let welcome = welcome(run: UUID())
        #expect(
            link.welcomed(2, welcome) == [
                .startTimeout(second.id, .ordinary), .startTimeout(third.id, .ordinary), .send(first.id, on: 2),
                .send(second.id, on: 2), .send(third.id, on: 2), .reportWelcome(welcome),
            ]
        )
        let fourth = link.call(.init())
        #expect(fourth.actions == [.startTimeout(fourth.id, .ordinary), .send(fourth.id, on: 2)])
    }

    @Test mutating func theFirstRetryThatFailsEndsTheGap() {
        start()
        let known = link.call(.init()).id
        _ = lose(known, on: 1)
        let new = link.call(.init()).id
        _ = reconnect(2)
        let actions = link.ended(2, Self.absent)
        #expect(actions.contains(.fail(new, Self.absent)))
        #expect(
            actions.contains { if case .fail(known, let error) = $0 { error.code == .connectionLost } else { false } }
        )
        let late = link.call(.init())
        #expect(late.actions == [.fail(late.id, Self.absent)])
        _ = link.retryIsDue()
        let later = link.call(.init())
        #expect(later.actions == [.fail(later.id, Self.absent)])
    }

    @Test mutating func aCallAboutItsConnectionNeverWaits() {
        start()
        let background = LinkMachine.CallTraits(isAboutConnection: true)
        let call = link.call(background).id
        #expect(link.replied(call, on: 1, Self.lost) == .complete(Self.lost))
        _ = link.ended(1, Self.lost)
        let inGap = link.call(background)
        #expect(inGap.actions == [.fail(inGap.id, Self.lost)])
        _ = link.retryIsDue()
        let whileConnecting = link.call(background)
        #expect(whileConnecting.actions == [.fail(whileConnecting.id, Self.lost)])
    }

    @Test mutating func aCallThatIsLostAfterTheNextConnectionOpenedIsMadeThere() {
        start()
        let call = link.call(.init()).id
        _ = link.ended(1, Self.lost)
        _ = reconnect(2)
        _ = link.welcomed(2, welcome())
        #expect(link.replied(call, on: 1, Self.lost) == .retry([.send(call, on: 2)]))
        // On another start of the hub its outcome is unknown.
        let other = link.call(.init()).id
        _ = link.ended(2, Self.lost)
        _ = reconnect(3)
        _ = link.welcomed(3, welcome(run: UUID()))
        guard case .retry(let actions) = link.replied(other, on: 2, Self.lost), case .fail(other, _)? = actions.first
        else {
            Issue.record("the call was made again")
            return
        }
    }

    @Test mutating func aCallThatIsLostLateWaitsBehindThoseThatWait() {
        start()
        let late = link.call(.init()).id
        _ = link.ended(1, Self.lost)
        _ = reconnect(2)
        _ = link.welcomed(2, welcome())
        let next = link.call(.init()).id
        #expect(link.replied(next, on: 2, Self.lost) == .wait)
        // The second connection is ending too.
        #expect(link.replied(late, on: 1, Self.lost) == .wait)
        _ = link.ended(2, Self.lost)
        _ = reconnect(3)
        #expect(
            link.welcomed(3, welcome()) == [.send(next, on: 3), .send(late, on: 3), .reportWelcome(welcome())]
        )
    }

    @Test mutating func theTimeoutOfACallStartsOnce() {
        _ = link.open()
        let call = link.call(.init()).id
        #expect(link.welcomed(1, welcome()).contains(.startTimeout(call, .ordinary)))
        _ = lose(call, on: 1)
        _ = reconnect(2)
        #expect(link.welcomed(2, welcome()) == [.send(call, on: 2), .reportWelcome(welcome())])
    }

    @Test mutating func aCallThatTimedOutHoldsUpNoOther() {
        start()
        _ = link.ended(1, Self.lost)
        let held = link.call(.init()).id
        _ = link.timedOut(held, after: .seconds(5))
        _ = reconnect(2)
        let next = link.call(.init())
        #expect(next.actions == [.startTimeout(next.id, .greeting), .send(next.id, on: 2)])
    }

    @Test mutating func aCallEndsWithItsTimeoutWhereverItIs() {
        start()
        let sent = link.call(.init()).id
        #expect(link.timedOut(sent, after: .seconds(5)).count == 1)
        #expect(link.timedOut(sent, after: .seconds(5)).isEmpty)
        #expect(link.replied(sent, on: 1, nil) == .ignore)
        _ = link.ended(1, Self.lost)
        let held = link.call(.init()).id
        guard case .fail(held, let error)? = link.timedOut(held, after: .seconds(5)).first else {
            Issue.record("the call goes on")
            return
        }
        #expect(error.code == .timedOut && error.reason.contains("5 seconds"))
        _ = reconnect(2)
        #expect(link.welcomed(2, welcome()) == [.reportWelcome(welcome())])
    }

    // MARK: The end

    @Test func aLinkThatDoesNotReconnectEndsWithItsConnection() {
        var link = LinkMachine(reconnects: false)
        _ = link.open()
        _ = link.welcomed(1, welcome())
        let call = link.call(.init()).id
        #expect(link.replied(call, on: 1, Self.lost) == .complete(Self.lost))
        #expect(link.ended(1, Self.lost) == [.reportLoss(Self.lost, isGone: false)])
        #expect(link.retryIsDue().isEmpty)
        #expect(link.call(.init()).actions == [.fail(2, Self.lost)])
    }

    @Test mutating func aClosedLinkMakesNoFurtherConnection() {
        start()
        let call = link.call(.init()).id
        #expect(link.close() == [.close(1)])
        #expect(link.replied(call, on: 1, Self.lost) == .complete(Self.lost))
        #expect(link.ended(1, Self.lost) == [.reportLoss(Self.lost, isGone: false)])
        #expect(link.close().isEmpty)
        #expect(link.open().isEmpty)
    }

    @Test mutating func closingFailsTheCallsThatTheConnectionLost() {
        start()
        let call = link.call(.init()).id
        #expect(link.replied(call, on: 1, Self.lost) == .wait)
        #expect(link.close() == [.close(1)])
        guard case .fail(call, let error)? = link.ended(1, Self.lost).first else {
            Issue.record("the call waits forever")
            return
        }
        #expect(error.code == .connectionLost)
    }

    @Test mutating func closingInAGapFailsTheCallsThatWait() {
        start()
        _ = link.ended(1, Self.lost)
        let call = link.call(.init()).id
        #expect(link.close() == [.fail(call, Self.lost)])
        #expect(link.retryIsDue().isEmpty)
    }

    // MARK: All orders

    /// A link with what a driver knows of it.
    private struct Model {
        var link: LinkMachine
        var connection = 0
        var isConnected = false
        /// The calls without an end, with the connections on which they were made.
        var calls: [LinkMachine.CallID: [Int]] = [:]
        var ended: Set<LinkMachine.CallID> = []
        var retries = 0

        /// Takes actions; returns what is wrong with them.
        mutating func take(_ actions: [LinkMachine.Action]) -> String? {
            for action in actions {
                switch action {
                case .connect(let number):
                    guard number == connection + 1, !isConnected else { return "two connections" }
                    connection = number
                    isConnected = true
                case .greet(let number, _), .close(let number):
                    guard number == connection, isConnected else { return "\(action) without that connection" }
                case .send(let id, let number):
                    guard number == connection, isConnected else { return "\(action) without that connection" }
                    guard let made = calls[id], !made.contains(number), made.filter({ $0 > 0 }).count < 2 else {
                        return "\(action) again"
                    }
                    calls[id]?.append(number)
                case .fail(let id, _):
                    guard end(id) else { return "\(action) twice" }
                case .scheduleRetry:
                    retries += 1
                    guard retries == 1, !isConnected else { return "two retries" }
                case .startTimeout(let id, _):
                    guard calls[id] != nil else { return "\(action) of a call that has ended" }
                case .reportWelcome, .reportDenial, .reportLoss, .log:
                    break
                }
            }
            return nil
        }

        mutating func end(_ id: LinkMachine.CallID) -> Bool {
            calls[id] = nil
            return ended.insert(id).inserted
        }

        /// Handles a reply to the oldest call on a connection.
        mutating func reply(_ error: HubError?, on number: Int) -> String? {
            guard let id = calls.filter({ $0.value.last == number }).keys.min() else { return nil }
            switch link.replied(id, on: number, error) {
            case .complete: return end(id) ? nil : "a call ends twice"
            case .retry(let actions): return take(actions)
            case .wait: return error == nil ? "a reply is dropped" : nil
            case .ignore: return "a call is forgotten"
            }
        }
    }

    private static let events: [@Sendable (inout Model, Welcome) -> String?] = [
        { model, _ in
            let (id, actions) = model.link.call(.init())
            model.calls[id] = []
            return model.take(actions)
        },
        { model, _ in
            let (id, actions) = model.link.call(.init(isAboutConnection: true))
            model.calls[id] = []
            return model.take(actions)
        },
        { model, _ in model.take(model.link.drained(model.connection)) },
        { model, welcome in model.isConnected ? model.take(model.link.welcomed(model.connection, welcome)) : nil },
        { model, _ in model.isConnected ? model.take(model.link.refused(model.connection, lost)) : nil },
        { model, _ in model.reply(nil, on: model.connection) },
        { model, _ in
            // As a connection ends: first the calls on it, then it.
            guard model.isConnected else { return nil }
            while model.calls.contains(where: { $0.value.last == model.connection }) {
                let before = model.calls
                if let problem = model.reply(lost, on: model.connection) { return problem }
                // Those that wait are not on the connection any longer.
                for (id, made) in before where made.last == model.connection && model.calls[id] != nil {
                    model.calls[id] = made + [-1]
                    break
                }
            }
            model.isConnected = false
            return model.take(model.link.ended(model.connection, lost))
        },
        { model, _ in
            guard model.retries == 1 else { return nil }
            model.retries = 0
            return model.take(model.link.retryIsDue())
        },
        { model, _ in
            guard let id = model.calls.keys.min() else { return nil }
            return model.take(model.link.timedOut(id, after: .seconds(1)))
        },
    ]

    @Test func inEveryOrderOfEventsEachCallEndsOnceAndGoesToTheCurrentConnection() {
        let welcome = welcome()
        var count = 0
        func explore(_ model: Model, _ path: [Int]) -> Bool {
            guard path.count < 5 else { return true }
            for (index, event) in Self.events.enumerated() {
                var next = model
                count += 1
                if let problem = event(&next, welcome) {
                    Issue.record("\(problem) after \(path + [index])")
                    return false
                }
                guard explore(next, path + [index]) else { return false }
            }
            return true
        }
        var model = Model(link: LinkMachine(reconnects: true))
        #expect(model.take(model.link.open()) == nil)
        #expect(explore(model, []))
        // The same from an open link.
        #expect(model.take(model.link.welcomed(1, welcome)) == nil)
        #expect(explore(model, []))
        #expect(count == 2 * (9 + 81 + 729 + 6_561 + 59_049))
    }
}
