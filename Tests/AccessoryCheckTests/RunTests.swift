import AccessoryCheck
import HAP
import HAPCatalog
import Synchronization
import Testing

@testable import HAPServer

/// Tests what a run does besides checking.
@Suite struct RunTests {
    private func run(
        _ accessory: CheckedAccessory,
        isPaired: Bool = false,
        _ change: (inout CheckOptions) throws -> Void = { _ in }
    ) async throws -> CheckSummary {
        var options = try await accessory.options(isPaired: isPaired)
        try change(&options)
        return await CheckRunner(target: await accessory.target, options: options).run { _ in }
    }

    @Test func aWrongCodeIsTriedOnce() async throws {
        let tries = Mutex(0)
        let twin = Twin.response { response, _, _ in
            if response.body == [6, 1, 4, 7, 1, 2] { tries.withLock { $0 += 1 } }
            return nil
        }
        try await CheckedAccessory.run(twin, isPaired: false) { accessory in
            let summary = try await run(accessory) {
                $0.access = .code(try SetupCode("271-82-818"))
                $0.only = ["pair-setup.m2", "reads", "pair-setup.wrong-proof"]
            }
            #expect(summary.problems == [.wrongCode])
            #expect(tries.withLock { $0 } == 1)
            #expect(summary.results.filter { $0.outcome == .passed }.map(\.id) == ["pair-setup.m2"])
            #expect(summary.results.allSatisfy { !$0.isFailure(isStrict: true) })
            #expect(summary.results.count > 10)
        }
    }

    @Test func aPairedAccessoryIsLeftAlone() async throws {
        try await CheckedAccessory.run(isPaired: true) { accessory in
            let summary = try await run(accessory) { $0.only = ["reads"] }
            #expect(summary.problems == [.pairedAlready])
            #expect(await accessory.pairingCount == 1)
        }
    }

    @Test func anExistingPairingStays() async throws {
        try await CheckedAccessory.run(isPaired: true) { accessory in
            let summary = try await run(accessory, isPaired: true) { $0.only = ["reads", "pairings", "pair-setup"] }
            #expect(summary.problems == [])
            #expect(await accessory.pairingCount == 1)
            let m2 = summary.results.first { $0.id == "pair-setup.m2" }
            #expect(m2?.outcome == .notApplicable("The run uses an existing pairing."))
        }
    }

    @Test func aPairingThatTheAccessoryDoesNotKnowEndsTheRun() async throws {
        try await CheckedAccessory.run(isPaired: true) { accessory in
            let summary = try await run(accessory, isPaired: true) {
                guard case .pairing(var pairing) = $0.access else { return }
                pairing.controller = ControllerIdentity(pairingID: pairing.controller.pairingID, keyPair: .random())
                $0.access = .pairing(pairing)
                $0.only = ["reads"]
            }
            guard case .unknownPairing? = summary.problems.first else {
                Issue.record("\(summary.problems)")
                return
            }
        }
    }

    @Test func aPairingWhoseLastMessageIsSpoiledIsWithdrawn() async throws {
        let twin = Twin.change("/pair-setup") { response, _ in
            if response.body.starts(with: [6, 1, 6]) { response.body[response.body.count - 1] ^= 1 }
        }
        try await CheckedAccessory.run(twin, isPaired: false) { accessory in
            let summary = try await run(accessory) { $0.only = ["pair-setup.exchange"] }
            #expect(summary.results.map(\.word) == ["failed"])
            #expect(await !accessory.isPaired)
        }
    }

    @Test func nobodyThereEndsTheRun() async throws {
        let target = try await CheckedAccessory.run(isPaired: true) { await $0.target }
        var options = CheckOptions(access: .code(try SetupCode(CheckedAccessory.code)))
        options.responseTime = .seconds(60)
        let summary = await CheckRunner(target: target, options: options).run { _ in }
        guard case .unreachable(let cause)? = summary.problems.first else {
            Issue.record("\(summary.problems)")
            return
        }
        #expect(cause == "nothing listens at the port")
        #expect(summary.results.allSatisfy { $0.word == "not applicable" })
    }

    @Test func valuesAndPairingsAreAsTheyWere() async throws {
        try await CheckedAccessory.run(isPaired: true) { accessory in
            let before = try await accessory.value(of: HAPType.Characteristic.on)
            _ = try await run(accessory, isPaired: true) {
                $0.only = ["writes.success", "writes.bool-forms", "pairings"]
            }
            _ = try await run(accessory, isPaired: true) { $0.only = ["writes.partial"] }
            #expect(try await accessory.value(of: HAPType.Characteristic.on) == before)
            #expect(await accessory.pairingCount == 1)
        }
    }

    /// The accessory stops answering in the middle: it accepts connections, and closes them.
    @Test func anAccessoryThatStopsAnsweringIsNamedAndTheRestIsSkipped() async throws {
        let reads = Mutex(0)
        var twin = Twin()
        twin.rewriter.request = { request, _, _ in
            if request.path == "/characteristics" { reads.withLock { $0 += 1 } }
            return .handled(request)
        }
        twin.rewriter.input = { _, _, _ in reads.withLock { $0 } >= 3 ? .closed : .received }
        try await CheckedAccessory.run(twin, isPaired: true) { accessory in
            let summary = try await run(accessory, isPaired: true) { $0.only = ["database.json", "reads", "events"] }
            let failed = summary.results.filter { $0.isFailure(isStrict: false) }
            #expect(failed.count == 1)
            let lost = try #require(failed.first)
            #expect(lost.id.hasPrefix("reads."))
            let last = try #require(summary.results.last)
            #expect(last.outcome == .notApplicable("The accessory stopped answering at \(lost.id)."))
        }
    }

    /// The accessory falls silent where it should close the connection.
    @Test func silenceThatACheckTakesForTheFaultItLooksForIsNamedAsTheEnd() async throws {
        let sessions = Mutex(Set<ConnectionID>())
        var twin = Twin()
        twin.rewriter.input = { _, connection, isSecured in
            let isSilent = sessions.withLock { sessions in
                // The first session reads the database; the second is that of the first check.
                if isSecured { sessions.insert(connection) }
                return sessions.count > 1
            }
            return isSilent ? .replaced([]) : .received
        }
        try await CheckedAccessory.run(twin, isPaired: true) { accessory in
            let summary = try await run(accessory, isPaired: true) {
                $0.only = ["framing.tag", "framing.altered-length", "http", "sessions"]
                $0.responseTime = .seconds(10)
            }
            #expect(summary.results.filter { $0.isFailure(isStrict: true) }.map(\.id) == ["framing.tag"])
            let rest = summary.results.drop { $0.id != "framing.tag" }
            #expect(rest.first?.detail?.hasSuffix("the connection stays open") == true)
            #expect(rest.count > 2)
            let reason = "The accessory stopped answering at framing.tag."
            #expect(rest.dropFirst().allSatisfy { $0.outcome == .notApplicable(reason) })
        }
    }

    @Test func aCanceledRunUnpairsFirst() async throws {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        try await CheckedAccessory.run(isPaired: false) { accessory in
            let options = try await accessory.options(isPaired: false)
            let target = await accessory.target
            let run = Task {
                await CheckRunner(target: target, options: options).run { event in
                    if case .result(let result, _, _) = event, result.id == "writes.success" { continuation.yield() }
                }
            }
            for await _ in begun { break }
            #expect(await accessory.isPaired)
            run.cancel()
            let summary = await run.value
            #expect(summary.problems == [.canceled])
            #expect(await !accessory.isPaired)
            #expect(try await accessory.value(of: HAPType.Characteristic.on) == .bool(false))
            let skipped = summary.results.count { $0.outcome == .notApplicable("The run was ended.") }
            #expect(skipped > 0)
        }
    }

    @Test func attacksStayOnTheTestersOwnNetwork() async throws {
        let heard = Mutex(0)
        var options = CheckOptions(access: .code(try SetupCode(CheckedAccessory.code)))
        options.attacks = true
        options.responseTime = .seconds(60)
        options.advertisements = AdvertisementSource { _ in
            heard.withLock { $0 += 1 }
            return nil
        }
        let target = CheckTarget(host: "192.0.2.1", port: 1)
        let summary = await CheckRunner(target: target, options: options).run { _ in }
        #expect(summary.problems == [.publicAddress("192.0.2.1")])
        #expect(summary.problems.first?.reason.contains("192.0.2.1") ?? false)
        #expect(summary.results.count == Check.all.count)
        #expect(summary.results.allSatisfy { $0.word == "not applicable" })
        #expect(summary.before == [] && summary.after == [])
        #expect(heard.withLock { $0 } == 0)
    }

    @Test func noAttackBeginsAfterTheTimeForThem() async throws {
        try await CheckedAccessory.run(isPaired: true) { accessory in
            let summary = try await run(accessory, isPaired: true) {
                $0.attacks = true
                $0.attackTime = .zero
                $0.only = ["attacks", "reads.success"]
            }
            #expect(summary.problems == [])
            for result in summary.results {
                let isLate = result.outcome == .notApplicable("The attacks took longer than 0 seconds.")
                #expect(isLate == result.id.hasPrefix("attacks."), "\(result)")
            }
        }
    }

    @Test func anAccessoryIsNotAttackedUnlessToldTo() async throws {
        try await CheckedAccessory.run(isPaired: true) { accessory in
            let summary = try await run(accessory, isPaired: true) { $0.only = ["attacks", "reads.success"] }
            #expect(summary.results.map(\.id) == ["reads.success"])
        }
    }

    /// Once the accessory was paired, the newest advertisement is from then, until a newer one is waited for.
    @Test func theStateAfterwardsIsNotThatOfAnOldAdvertisement() async throws {
        let wasPaired = Mutex(false)
        try await CheckedAccessory.run(isPaired: false) { accessory in
            var options = try await accessory.options(isPaired: false)
            options.only = ["pair-setup.exchange"]
            options.advertisements = AdvertisementSource { condition in
                let old = AccessoryAdvertisement(name: "Lamp", port: 1, txt: ["sf": "0"])
                let current = AccessoryAdvertisement(name: "Lamp", port: 1, txt: ["sf": "1"])
                return wasPaired.withLock { $0 } && condition(old) ? old : current
            }
            let summary = await CheckRunner(target: await accessory.target, options: options).run { _ in
                wasPaired.withLock { $0 = true }
            }
            #expect(summary.results.map(\.outcome) == [.passed])
            #expect(summary.before == ["advertised as “Lamp”", "sf=1", "not paired"])
            #expect(summary.after == summary.before)
        }
    }

    @Test func actuatorsAreWrittenOnlyIfAllowed() async throws {
        var twin = Twin()
        var door = CheckedAccessory.lamp
        door.services = [
            HostedService(
                HAPType.Service.lockMechanism,
                characteristics: [
                    HostedCharacteristic(HAPType.Characteristic.lockCurrentState),
                    HostedCharacteristic(HAPType.Characteristic.lockTargetState),
                ].compactMap(\.self)
            )
        ]
        let writes = Mutex(0)
        twin.accessories = [door]
        twin.rewriter.request = { request, _, _ in
            if request.method == .put, request.body.text.contains(#""value":"#) { writes.withLock { $0 += 1 } }
            return .handled(request)
        }
        try await CheckedAccessory.run(twin, isPaired: true) { accessory in
            let summary = try await run(accessory, isPaired: true) {
                $0.only = ["writes.success", "events", "sessions"]
            }
            #expect(writes.withLock { $0 } == 0)
            #expect(summary.results.first { $0.id == "writes.success" }?.word == "not applicable")
        }
    }
}
