import Foundation
import HTTPTypes
import Testing

@testable import Relay

/// The OpenAPI document, and the limits' page.
struct RelayDescriptionTests {
    @Test func theDocumentHasEveryRouteAndMethod() throws {
        let json = try JSONSerialization.jsonObject(with: Data(RelayDescription.json.utf8))
        let document = try #require(json as? [String: Any])
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        #expect(Set(paths.keys) == Set(RelayRoute.Kind.allCases.map(\.pattern)))
        for kind in RelayRoute.Kind.allCases {
            let item = try #require(paths[kind.pattern])
            let methods = Set(item.keys).subtracting(["parameters"])
            #expect(methods == Set(kind.methods.map { $0.rawValue.lowercased() }))
            let names = kind.pattern.matches(of: /\{(\w+)\}/).map { String($0.1) }
            let parameters = item["parameters"] as? [[String: Any]] ?? []
            #expect(parameters.compactMap { $0["name"] as? String } == names)
        }
    }

    @Test func eachPatternIsTheRouteThatItNames() {
        for kind in RelayRoute.Kind.allCases {
            let path = kind.pattern.replacing("{house}", with: "0123456789abcdef")
                .replacing("{feed}", with: "0123456789abcdef0123456789abcdef").replacing("{generation}", with: "7")
                .replacing("{stream}", with: "01234567-89AB-CDEF-0123-456789ABCDEF")
            #expect(RelayRoute(path)?.kind == kind)
        }
    }

    @Test func ratesAllowABurstAndThenASteadyFlow() {
        var limiter = RateLimiter<Int>(capacity: 2)
        let rate = RateLimiter<Int>.Rate(burst: 3, count: 60, period: 60_000)
        for _ in 0..<3 { #expect(limiter.take(1, at: rate, now: 0) == nil) }
        #expect(limiter.take(1, at: rate, now: 0) == 1)
        #expect(limiter.take(1, at: rate, now: 1_000) == nil)
        #expect(limiter.take(1, at: rate, now: 1_000) == 1)
        #expect(limiter.take(2, 4, at: rate, now: 1_000) == 1)
        #expect(limiter.take(2, 3, at: rate, now: 1_000) == nil)
        // A clock that is set back, by a day, makes nobody wait longer.
        #expect(limiter.take(1, at: rate, now: 1_000 - 86_400_000) == 1)
        #expect(limiter.take(1, at: rate, now: 2_000 - 86_400_000) == nil)
        #expect(limiter.charge(1, 2, at: rate, now: 2_000 - 2 * 86_400_000) == 2_000)
        #expect(limiter.take(1, at: rate, now: 4_000 - 2 * 86_400_000) == 1)
        #expect(limiter.take(1, at: rate, now: 5_000 - 2 * 86_400_000) == nil)
        limiter = RateLimiter<Int>(capacity: 2)
        // More keys than there is room for are forgotten, not kept.
        for key in 3..<100 { #expect(limiter.take(key, at: rate, now: 1_000) == nil) }
    }
}
