import AccessorySimulator
import Foundation
import HAP
import HubAPI
import HubServer

/// The control of a simulator, for its page.
struct SimulatorBackend: ControlBackend {
    private static let nextEvents = "event.next"

    let simulator: Simulator

    func call(_ method: String, _ parameters: Data) async throws(HubError) -> Data {
        // The page follows events on a stream; a request that waits for one would keep a connection busy.
        guard method != Self.nextEvents else {
            throw HubError(.unknownMethod, "Over HTTP, events are sent on a stream: POST /api/events.")
        }
        return try await answer(method, Array(parameters))
    }

    func events(after position: UInt64?) async throws(HubError) -> ControlEventBatch {
        var writer = JSONWriter()
        writer.object { if let position { $0.member("after", position) } }
        let reply = try await answer(Self.nextEvents, writer.bytes)
        do {
            let batch = try JSONDecoder().decode(ControlEvents.self, from: reply)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let events = try batch.events.map { event in
                ControlEventBatch.Event(name: event.event, json: try encoder.encode(event))
            }
            return ControlEventBatch(next: batch.next, missed: batch.missed, events: events)
        } catch {
            throw HubError(.hubFailure, "The simulator's events can't be read: \(error)")
        }
    }

    private func answer(_ method: String, _ parameters: [UInt8]) async throws(HubError) -> Data {
        do throws(SimulatorError) {
            return Data(try await simulator.answer(method, parameters).bytes)
        } catch {
            throw HubError(HubError.Code(rawValue: error.code.rawValue), error.reason)
        }
    }
}
