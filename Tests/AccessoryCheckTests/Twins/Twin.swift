import AccessoryCheck
import HAP
import HAPCatalog
import Synchronization

@testable import HAPServer

/// A way in which an accessory is broken.
struct Twin: Sendable {
    var rewriter = TrafficRewriter()
    var accessories = [CheckedAccessory.lamp]
    var advertise: @Sendable (AccessoryAdvertisement) -> AccessoryAdvertisement = { $0 }
    var limits: @Sendable (inout ServerLimits) -> Void = { _ in }
    var restarted: @Sendable () -> Void = {}
    /// Whether it says no goodbye when it is stopped.
    var staysAdvertised = false
    /// Whether it forgets everything when it is restarted.
    var forgets = false
    /// Whether the check needs an accessory that isn't paired.
    var isUnpaired = false
}

// MARK: Kinds of twins

extension Twin {
    /// An accessory that isn't paired.
    var unpaired: Twin {
        var twin = self
        twin.isUnpaired = true
        return twin
    }

    /// Advertises another value of a TXT key.
    static func txt(_ key: String, _ value: String?) -> Twin {
        var twin = Twin()
        twin.isUnpaired = true
        twin.advertise = { advertisement in
            var advertisement = advertisement
            advertisement.txt[key] = value
            return advertisement
        }
        return twin
    }

    /// Sends other bytes in place of a response.
    static func response(
        _ change: @escaping @Sendable (HTTPResponse, HTTPRequest, ConnectionID) -> [UInt8]?
    ) -> Twin {
        var twin = Twin()
        twin.rewriter.response = { response, request, connection in
            request.flatMap { change(response, $0, connection) } ?? response.encoded()
        }
        return twin
    }

    /// Changes responses of a path.
    static func change(
        _ path: String,
        _ method: HTTPMethod? = nil,
        after count: Int = 0,
        _ change: @escaping @Sendable (inout HTTPResponse, HTTPRequest) -> Void
    ) -> Twin {
        let counter = Mutex(0)
        return response { response, request, _ in
            guard request.path == path, method.map({ $0 == request.method }) ?? true else { return nil }
            let number = counter.withLock { counter in
                counter += 1
                return counter
            }
            guard number > count else { return nil }
            var response = response
            change(&response, request)
            return response.encoded()
        }
    }

    /// Changes the text of `GET /accessories`.
    static func database(_ old: String, _ new: String) -> Twin {
        change("/accessories", .get) { response, _ in
            response.body = Array(response.text.replacing(old, with: new).utf8)
        }
    }

    /// Changes the text of `GET /accessories` by a regular expression.
    static func database(_ old: sending Regex<Substring>, _ new: String) -> Twin {
        let old = UncheckedRegex(regex: old)
        return change("/accessories", .get) { response, _ in
            response.body = Array(response.text.replacing(old.regex, with: new).utf8)
        }
    }

    /// A regular expression that only one connection uses at a time.
    private struct UncheckedRegex: @unchecked Sendable {
        let regex: Regex<Substring>
    }

    /// Returns a status instead of the statuses of a list, or instead of any other.
    static func status(
        _ path: String,
        _ method: HTTPMethod,
        _ status: HTTPStatus,
        insteadOf expected: HTTPStatus,
        after count: Int = 0
    ) -> Twin {
        change(path, method, after: count) { response, _ in
            guard response.status == expected else { return }
            response.status = status
            if status == .noContent { response.body = [] }
        }
    }

    /// Accepts every message of an endpoint: a refusal becomes the next message with plausible content.
    static func credulous(_ path: String) -> Twin {
        change(path, .post) { response, request in
            let values = RawMessage.values(response.body)
            guard response.status.rawValue >= 400 || values[7] != nil else { return }
            let state = RawMessage.values(request.body)[6]?.first ?? 1
            response.status = .ok
            response.headers = ["Content-Type": HAPContentType.pairing]
            let key = [UInt8](repeating: 9, count: path == "/pair-setup" ? 384 : 32)
            response.body =
                state == 1 && path != "/pairings"
                ? RawMessage.tlv((6, [2]), (2, [UInt8](repeating: 1, count: 16)), (3, key))
                : [6, 1, state + 1]
        }
    }

    /// Handles another request than was received.
    static func request(_ change: @escaping @Sendable (inout HTTPRequest, ConnectionID) -> Void) -> Twin {
        var twin = Twin()
        twin.rewriter.request = { request, connection, _ in
            var request = request
            change(&request, connection)
            return .handled(request)
        }
        return twin
    }

    /// Replaces text in the bodies of writes.
    static func write(_ old: String, _ new: String) -> Twin {
        request { request, _ in
            guard request.method == .put else { return }
            request.body = Array(request.body.text.replacing(old, with: new).utf8)
        }
    }

    /// Answers some requests without handling them.
    static func answers(
        _ answer: @escaping @Sendable (HTTPRequest, ConnectionID) -> HTTPResponse?
    ) -> Twin {
        var twin = Twin()
        twin.rewriter.request = { request, connection, _ in
            answer(request, connection).map { .answered($0.encoded()) } ?? .handled(request)
        }
        return twin
    }

    /// Answers a pairings request of a method with success, and does nothing.
    static func ignores(method: UInt8) -> Twin {
        answers { request, _ in
            guard request.path == "/pairings", RawMessage.values(request.body)[0] == [method] else { return nil }
            return .pairing([6, 1, 2])
        }
    }

    /// Sends an event of the lamp's power after the responses that a closure selects.
    static func event(after isSelected: @escaping @Sendable (HTTPRequest) -> Bool) -> Twin {
        response { response, request, _ in isSelected(request) ? response.encoded() + Self.powerEvent : nil }
    }

    static let powerEvent: [UInt8] = {
        let body = #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#
        return Array(
            ("EVENT/1.0 200 OK\r\nContent-Type: \(HAPContentType.json)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body).utf8
        )
    }()

    /// Answers a message that arrives in more than one piece with a status, from the second piece on.
    static func impatient(_ status: HTTPStatus) -> Twin {
        let pieces = Mutex<[ConnectionID: Int]>([:])
        var twin = Twin.response { _, _, connection in
            pieces.withLock { $0[connection] = 0 }
            return nil
        }
        twin.rewriter.input = { _, connection, _ in
            let count = pieces.withLock { pieces in
                pieces[connection, default: 0] += 1
                return pieces[connection, default: 0]
            }
            return count > 1 ? .answered(HTTPResponse(status: status).encoded()) : .received
        }
        return twin
    }

    /// Answers bytes that aren't frames of the session.
    static var tolerant: Twin {
        var twin = Twin()
        twin.rewriter.frameErrorAnswer = HTTPResponse(status: .badRequest).encoded()
        return twin
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension HTTPResponse {
    static func pairing(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: ["Content-Type": HAPContentType.pairing], body: body)
    }

    static let overloaded = HTTPResponse(status: .serviceUnavailable)
}
