import DNSSD
import Foundation

/// An event of the program, one JSON object per line.
struct Event: Encodable {
    var event: String
    var id: String?
    var name: String?
    var from: String?
    var type: String?
    var host: String?
    var port: UInt16?
    var addresses: [String]?
    var interfaces: [String]?
    var txt: [String: String]?
    var error: String?
    var reason: String?

    init(_ event: String) {
        self.event = event
    }

    init(_ event: String, _ service: Service) {
        self.init(event)
        name = service.instance.name
        type = service.instance.type.description
        host = service.hostName
        port = service.port
        addresses = service.addresses.map(\.description)
        interfaces = Set(service.addresses.map(\.interfaceName)).sorted()
        txt = Dictionary(
            service.txt.entries.map { ($0.key, String(decoding: $0.value ?? [], as: UTF8.self)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    init(_ change: BrowseEvent) {
        switch change {
        case .found(let service): self.init("found", service)
        case .changed(let service): self.init("changed", service)
        case .gone(let instance):
            self.init("gone")
            name = instance.name
            type = instance.type.description
        }
    }

    init(refusal: DNSSDError) {
        self.init("refused")
        error = refusal.code.rawValue
        reason = refusal.reason
    }

    /// Writes the event as a line.
    func report() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(self) else { return }
        line.append(UInt8(ascii: "\n"))
        FileHandle.standardOutput.write(line)
    }
}
