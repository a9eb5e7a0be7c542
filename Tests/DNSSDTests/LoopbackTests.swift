import Testing

@testable import DNSSD

/// Real sockets on the loopback interface. Every test uses a separate service type.
struct LoopbackTests {
    @Test func aServiceIsFoundUpdatedAndGone() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(2) { hosts in
            let advertisement = try await hosts[0].advertise(
                ServiceAdvertisement(instanceName: "Lamp", type: type, port: 4711, txt: ["c#": "1"])
            )
            #expect(advertisement.instanceName == "Lamp")
            var events = hosts[1].browse(type).makeAsyncIterator()
            let found = try #require(await events.next()?.foundService)
            #expect(found.instance == ServiceInstance(name: "Lamp", type: type))
            #expect(found.port == 4711 && found.txt["C#"] == "1")
            #expect(found.addresses.map(\.description) == ["127.0.0.1"])
            #expect(found.addresses.map(\.interfaceName) == ["lo"])

            try await advertisement.update(txt: ["c#": "2"])
            #expect(await events.next()?.changedService?.txt["c#"] == "2")

            await advertisement.withdraw()
            #expect(await events.next() == .gone(found.instance))
            await #expect(throws: DNSSDError.self) { try await advertisement.update(txt: [:]) }
        }
    }

    @Test func aNameThatIsTakenIsNumberedOnTheWire() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(2) { hosts in
            let first = try await hosts[0].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 1))
            let second = try await hosts[1].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 2))
            #expect(first.instanceName == "Lamp" && second.instanceName == "Lamp (2)")
        }
    }

    @Test func shuttingDownSaysGoodbyeAndEndsEverything() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(2) { hosts in
            let advertisement = try await hosts[0].advertise(
                ServiceAdvertisement(instanceName: "Lamp", type: type, port: 1)
            )
            var events = hosts[1].browse(type).makeAsyncIterator()
            let found = try #require(await events.next()?.foundService)
            await hosts[0].shutdown()
            #expect(await events.next() == .gone(found.instance))
            for await event in advertisement.events {
                Issue.record("\(event) after the end")
            }
            var ended = hosts[0].browse(type).makeAsyncIterator()
            #expect(await ended.next() == nil)
            await #expect {
                try await hosts[0].advertise(ServiceAdvertisement(instanceName: "X", type: type, port: 1))
            } throws: { ($0 as? DNSSDError)?.code == .closed }
            await #expect { try await hosts[0].resolve(found.instance, within: .seconds(60)) } throws: {
                ($0 as? DNSSDError)?.code == .closed
            }
            await hosts[0].shutdown()
        }
    }

    @Test func aServiceIsResolvedByName() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(2) { hosts in
            _ = try await hosts[0].advertise(
                ServiceAdvertisement(instanceName: "Lamp", type: type, port: 9, txt: ["a": "b"])
            )
            let service = try await hosts[1].resolve(
                ServiceInstance(name: "lamp", type: type),
                within: .seconds(60)
            )
            #expect(service.port == 9 && service.txt["a"] == "b")
        }
    }

    @Test func resolvingWhatIsNotThereTimesOut() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(1) { hosts in
            await #expect {
                try await hosts[0].resolve(ServiceInstance(name: "Nobody", type: type), within: .milliseconds(300))
            } throws: { ($0 as? DNSSDError)?.code == .timedOut }
            await #expect {
                try await hosts[0].resolve(ServiceInstance(name: "", type: type), within: .seconds(60))
            } throws: {
                ($0 as? DNSSDError)?.code == .invalidName
            }
        }
    }

    @Test func cancellingTheIterationEndsTheBrowse() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(2) { hosts in
            _ = try await hosts[0].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 1))
            let (seen, sight) = AsyncStream.makeStream(of: BrowseEvent.self)
            let browsing = Task {
                for await event in hosts[1].browse(type) {
                    sight.yield(event)
                }
                return true
            }
            for await _ in seen { break }
            #expect(await hosts[1].recordCount > 0)
            browsing.cancel()
            #expect(await browsing.value)
            await Loopback.forgetting(hosts[1])
        }
    }

    @Test func leavingTheLoopEndsTheBrowse() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(2) { hosts in
            _ = try await hosts[0].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 1))
            for await event in hosts[1].browse(type) {
                #expect(event.foundService?.port == 1)
                break
            }
            await Loopback.forgetting(hosts[1])
        }
    }

    @Test func cancellingAnAdvertisementLeavesNothingBehind() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(1) { hosts in
            let advertising = Task {
                try await hosts[0].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 1))
            }
            advertising.cancel()
            await #expect { try await advertising.value } throws: { ($0 as? DNSSDError)?.code == .cancelled }
            // The name is free immediately, even for the same node.
            let next = try await hosts[0].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 2))
            #expect(next.instanceName == "Lamp")
        }
    }

    @Test func cancellingAResolutionEndsIt() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(1) { hosts in
            let resolving = Task {
                try await hosts[0].resolve(ServiceInstance(name: "Nobody", type: type), within: .seconds(600))
            }
            resolving.cancel()
            await #expect { try await resolving.value } throws: { ($0 as? DNSSDError)?.code == .cancelled }
        }
    }

    @Test func everyIterationOfABrowserStartsWithWhatIsKnown() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(2) { hosts in
            _ = try await hosts[0].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 1))
            let browser = hosts[1].browse(type)
            var one = browser.makeAsyncIterator()
            #expect(await one.next()?.foundService?.port == 1)
            var other = browser.makeAsyncIterator()
            #expect(await other.next()?.foundService?.port == 1)
        }
    }

    @Test func theStatisticsTellWhatWasDoneAndWhoWasHeard() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(2) { hosts in
            _ = try await hosts[0].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 1))
            let found = try await hosts[1].resolve(ServiceInstance(name: "Lamp", type: type), within: .seconds(60))
            #expect(found.port == 1)
            let statistics = await hosts[1].statistics
            #expect(statistics.map(\.interface.name) == ["lo"])
            let loopback = try #require(statistics.first)
            #expect(loopback.usesIPv4 && !loopback.usesIPv6)
            #expect(loopback.received.responses > 0 && loopback.unsentPackets == 0)
            #expect(await hosts[0].statistics.first.map { $0.sent.queries > 0 && $0.sent.responses > 0 } == true)
            let source = try #require(loopback.sources.first)
            #expect(source.address.isLoopback && source.isThisHost && source.received.responses > 0)
        }
    }

    @Test func anUnknownInterfaceIsRefusedWithThoseThatExist() async {
        for selector: InterfaceSelector in ["nosuch0", "192.0.2.77"] {
            await #expect { _ = try await MulticastDNS(interfaces: [selector]) } throws: { error in
                guard let error = error as? DNSSDError else { return false }
                return error.code == .unknownInterface && error.reason.contains("lo (127.0.0.1")
                    && error.reason.contains(selector.description)
            }
        }
    }
}

/// Nodes on the loopback interface.
enum Loopback {
    /// Runs a test with some nodes and shuts them down afterwards.
    static func with(_ count: Int, _ body: ([MulticastDNS]) async throws -> Void) async throws {
        var hosts: [MulticastDNS] = []
        for _ in 0..<count {
            hosts.append(try await MulticastDNS(interfaces: [.loopback]))
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(hosts))
        } catch {
            result = .failure(error)
        }
        for host in hosts {
            await host.shutdown()
        }
        try result.get()
    }

    /// Waits until a node has removed all cached records, as it does when nothing is being browsed.
    static func forgetting(_ host: MulticastDNS) async {
        while await host.recordCount > 0 {
            await Task.yield()
        }
    }

    /// Returns a service type that no other test uses, in this process or another.
    static func uniqueType() throws -> ServiceType {
        try ServiceType("_ht\(String(UInt32.random(in: .min ... .max), radix: 16))._tcp")
    }
}

extension BrowseEvent {
    var foundService: Service? {
        if case .found(let service) = self { service } else { nil }
    }

    var changedService: Service? {
        if case .changed(let service) = self { service } else { nil }
    }
}
