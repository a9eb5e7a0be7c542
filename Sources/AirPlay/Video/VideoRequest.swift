internal import Foundation
package import HAP

/// A request for video, as a receiver understands it.
package enum VideoRequest: Hashable, Sendable {
    /// A position in a film.
    package enum Start: Hashable, Sendable {
        case seconds(Double)
        case fraction(Double)
    }

    /// The receiver's description.
    case serverInfo
    /// Plays an address.
    case play(MediaAddress, Start)
    /// Continues at a position, in seconds.
    case seek(Double)
    /// Asks for the position.
    case position
    /// Pauses, or continues.
    case pause(Bool)
    /// Stops.
    case stop
    /// Asks for the status.
    case status
    /// Turns the connection around, so that the receiver sends events on it.
    case reverse
    /// A property that is accepted and has no effect.
    case property
    /// A refusal.
    case refusal(HTTPStatus)

    /// The maximum length of a body.
    package static let bodyLimit = 65_536

    /// Reads a request.
    package init(_ request: RTSPRequest) {
        let parts = request.uri.split(separator: "?", maxSplits: 1)
        let query = parts.count > 1 ? parts[1] : ""
        func number(_ name: String) -> Double? {
            query.split(separator: "&").first { $0.hasPrefix(name + "=") }
                .flatMap { Double($0.dropFirst(name.count + 1)) }
                .flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }
        switch (request.method, String(parts.first ?? "")) {
        case (.get, VideoPath.serverInfo): self = .serverInfo
        case (.post, VideoPath.play): self = Self.play(request)
        case (.post, VideoPath.scrub): self = number("position").map { .seek($0) } ?? .refusal(.badRequest)
        case (.get, VideoPath.scrub): self = .position
        case (.post, VideoPath.rate): self = number("value").map { .pause($0 == 0) } ?? .refusal(.badRequest)
        case (.post, VideoPath.stop): self = .stop
        case (.get, VideoPath.playbackInfo): self = .status
        case (.post, VideoPath.reverse): self = .reverse
        case (RTSPMethod(rawValue: "PUT"), VideoPath.setProperty), (.post, VideoPath.getProperty): self = .property
        default: self = .refusal(.notFound)
        }
    }

    private static func play(_ request: RTSPRequest) -> VideoRequest {
        let values = self.values(request)
        guard let location = values[VideoKey.location], let address = MediaAddress(location) else {
            return .refusal(.badRequest)
        }
        func number(_ key: String) -> Double? {
            values[key].flatMap { Double($0) }.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }
        if let seconds = number(VideoKey.startSeconds) { return .play(address, .seconds(seconds)) }
        let start = number(VideoKey.startFraction) ?? 0
        // Some senders mean seconds.
        return .play(address, start < 1 ? .fraction(start) : .seconds(start))
    }

    /// The values of a property list, or of lines such as `Content-Location: http://…`.
    private static func values(_ request: RTSPRequest) -> [String: String] {
        let type = request.headers[HTTPHeaderName.contentType]?.lowercased() ?? ""
        guard type.hasSuffix("plist") else {
            var values: [String: String] = [:]
            for line in String(decoding: request.body, as: UTF8.self).split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { values[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces) }
            }
            return values
        }
        let list = try? PropertyListSerialization.propertyList(from: Data(request.body), format: nil)
        return (list as? [String: Any] ?? [:]).compactMapValues { value in
            switch value {
            case let text as String: text
            case let number as NSNumber: "\(number.doubleValue)"
            default: nil
            }
        }
    }
}
