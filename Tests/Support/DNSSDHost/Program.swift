import DNSSD
import Foundation

/// Multicast DNS as a separate program, for tests that run it on a host of a lab.
///
/// Arguments: the interfaces to use, by name or address; all by default. Commands come from standard input
/// (``Command``), events go to standard output (``Event``). The program shuts down at the end of the input.
@main
struct Program {
    static func main() async {
        do throws(DNSSDError) {
            let discovery = try await MulticastDNS(
                interfaces: CommandLine.arguments.dropFirst().map { InterfaceSelector($0) }
            )
            let program = Program(discovery: discovery)
            Event("ready").report()
            await program.run(lines())
            await discovery.shutdown()
            Event("ended").report()
        } catch {
            Event(refusal: error).report()
            exit(1)
        }
    }

    let discovery: MulticastDNS

    private func run(_ lines: AsyncStream<String>) async {
        var advertisements: [String: Advertisement] = [:]
        await withDiscardingTaskGroup { tasks in
            for await line in lines {
                guard let command = try? JSONDecoder().decode(Command.self, from: Data(line.utf8)) else {
                    Event(refusal: DNSSDError(.init(rawValue: "badCommand"), reason: line)).report()
                    continue
                }
                do throws(DNSSDError) {
                    switch command.do {
                    case "advertise":
                        // Serially, because later commands need the handle.
                        let advertisement = try await advertise(command)
                        advertisements[command.id ?? ""] = advertisement
                        tasks.addTask { await reportRenames(of: advertisement, command.id) }
                    case "update":
                        try await advertisements[command.id ?? ""]?.update(txt: command.record)
                        report("updated", command)
                    case "withdraw":
                        await advertisements.removeValue(forKey: command.id ?? "")?.withdraw()
                        report("withdrawn", command)
                    case "browse":
                        let browser = try browser(for: command)
                        tasks.addTask { for await event in browser { Event(event).report() } }
                    case "resolve":
                        let instance = ServiceInstance(name: command.name ?? "", type: try command.serviceType)
                        tasks.addTask { await resolve(instance, within: .seconds(command.seconds ?? 180)) }
                    default:
                        throw DNSSDError(.init(rawValue: "badCommand"), reason: line)
                    }
                } catch {
                    Event(refusal: error).report()
                }
            }
            tasks.cancelAll()
            // Advertisements end here, too, so that no task waits for further renames.
            await discovery.shutdown()
        }
    }

    private func browser(for command: Command) throws(DNSSDError) -> ServiceBrowser {
        let type = try command.serviceType
        guard let subtype = command.subtype else { return discovery.browse(type) }
        return try discovery.browse(type, subtype: subtype)
    }

    private func advertise(_ command: Command) async throws(DNSSDError) -> Advertisement {
        let advertisement = try await discovery.advertise(
            ServiceAdvertisement(
                instanceName: command.name ?? "",
                type: try command.serviceType,
                port: command.port ?? 0,
                txt: command.record,
                subtypes: command.subtypes ?? []
            )
        )
        var event = Event("advertised")
        (event.id, event.name) = (command.id, advertisement.instanceName)
        event.report()
        return advertisement
    }

    private func reportRenames(of advertisement: Advertisement, _ id: String?) async {
        for await case .renamed(let previous, let name) in advertisement.events {
            var event = Event("renamed")
            (event.id, event.from, event.name) = (id, previous, name)
            event.report()
        }
    }

    private func resolve(_ instance: ServiceInstance, within limit: Duration) async {
        do throws(DNSSDError) {
            Event("resolved", try await discovery.resolve(instance, within: limit)).report()
        } catch {
            Event(refusal: error).report()
        }
    }

    private func report(_ event: String, _ command: Command) {
        var event = Event(event)
        event.id = command.id
        event.report()
    }

    private static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() {
                continuation.yield(line)
            }
            continuation.finish()
        }
        return lines
    }
}
