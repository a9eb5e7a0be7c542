internal import HAP
internal import HAPCatalog
internal import HAPServer
internal import Synchronization

/// A transcript of the decrypted messages between accessories and apps, with the scenario's time. This is a class
/// because all accessories write it.
///
/// Secrets are omitted: pairing messages are recorded by number only, and other bodies without authorization data.
final class Transcript: Sendable {
    private struct Line {
        let time: Duration
        let accessory: String
        let connection: ConnectionID
        let text: String
    }

    private struct State {
        var lines: [Line] = []
        var apps: [String: [ConnectionID: String]] = [:]
        var isOpen = false
    }

    private let state = Mutex(State())

    /// Starts recording.
    func open() {
        state.withLock { $0.isOpen = true }
    }

    /// Records a message.
    func record(_ traffic: TrafficEvent, of accessory: String, at time: Duration, app: String?) {
        let text: String
        switch traffic.content {
        case .opened, .held, .resumed, .closed: return
        case .request(let request): text = "-> \(request.transcriptText)"
        case .response(let response): text = "<- \(response.transcriptText)"
        case .event(let event): text = "<- EVENT \(String(decoding: event.body, as: UTF8.self))"
        }
        state.withLock { state in
            if let app { state.apps[accessory, default: [:]][traffic.connection] = app }
            guard state.isOpen else { return }
            state.lines.append(
                Line(time: time, accessory: accessory, connection: traffic.connection, text: text)
            )
        }
    }

    /// Returns the lines ordered by time, then by accessory, then in the order of the messages.
    ///
    /// - Parameter names: The accessories' names, by serial number, in the scenario's order.
    func text(_ names: [(serialNumber: String, name: String)]) -> String {
        let (lines, apps) = state.withLock { ($0.lines, $0.apps) }
        let order = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1.serialNumber, ($0, $1.name)) })
        return lines.enumerated()
            .sorted { left, right in
                (left.element.time, order[left.element.accessory]?.0 ?? 0, left.offset)
                    < (right.element.time, order[right.element.accessory]?.0 ?? 0, right.offset)
            }
            .map { _, line in
                let name = order[line.accessory]?.1 ?? line.accessory
                let app = apps[line.accessory]?[line.connection] ?? "?"
                return "\(line.time.transcriptText)  \(name)  \(app) \(line.text)\n"
            }
            .joined()
    }
}

extension Duration {
    private static let width = 9

    /// The time in seconds, with milliseconds, padded to a fixed width.
    fileprivate var transcriptText: String {
        let milliseconds = Int64(self / .milliseconds(1))
        let fraction = "\(milliseconds % 1000)"
        let text = "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
        return String(repeating: " ", count: max(0, Self.width - text.count)) + text
    }
}

extension HTTPRequest {
    fileprivate var transcriptText: String {
        let line = "\(method.rawValue) \(target)"
        if headers[HTTPHeaderName.contentType] == HAPContentType.pairing { return "\(line) \(pairingText(body))" }
        return body.isEmpty ? line : "\(line) \(jsonText(body))"
    }
}

extension HTTPResponse {
    fileprivate var transcriptText: String {
        if headers[HTTPHeaderName.contentType] == HAPContentType.pairing { return "\(status) \(pairingText(body))" }
        return body.isEmpty ? "\(status)" : "\(status) \(jsonText(body))"
    }
}

/// The nonsecret parts of a pairing message: its number, and an error.
private func pairingText(_ body: [UInt8]) -> String {
    guard let message = try? TLV8(decoding: body), let state = message[.state]?.first.flatMap(PairingState.init) else {
        return "(\(body.count) bytes)"
    }
    guard let error = message[.error]?.first else { return "\(state)" }
    return "\(state) error \(error)"
}

/// A JSON body, unless it contains authorization data.
private func jsonText(_ body: [UInt8]) -> String {
    let text = String(decoding: body, as: UTF8.self)
    return text.contains("\"authData\"") ? "(\(body.count) bytes with authorization data)" : text
}
