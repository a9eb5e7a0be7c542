import HAP
import Testing

@testable import Wyoming

/// Events in bytes: how they are split, what they may hold, and where they end.
struct WyomingReaderTests {
    private func decode(_ text: String, limits: WyomingLimits = WyomingLimits()) -> (
        events: [WyomingEvent], error: WyomingError?
    ) {
        var reader = WyomingReader(limits: limits)
        return reader.decode(Array(text.utf8))
    }

    @Test func anEventIsALineItsDataAndItsPayload() {
        let read = decode(
            #"{"type":"a","data":{"x":1,"y":2},"data_length":8,"payload_length":3}"# + "\n" + #"{"y":30}"# + "abc"
                + #"{"type":"b"}"# + "\n"
        )
        #expect(read.error == nil)
        #expect(read.events.map(\.type) == ["a", "b"])
        #expect(read.events[0]["x"] == .integer(1))
        #expect(read.events[0]["y"] == .integer(30))
        #expect(read.events[1]["x"] == nil)
    }

    @Test func splittingMakesNoDifference() {
        let bytes = Array(
            (#"{"type":"a","data_length":7,"payload_length":2}"# + "\n" + #"{"x":1}"# + "\n\n"
                + #"{"type":"b","data":null}"# + "\n").utf8
        )
        var reader = WyomingReader()
        var events: [WyomingEvent] = []
        for byte in bytes { events += reader.decode([byte]).events }
        #expect(events.map(\.type) == ["a", "b"])
        #expect(events == decode(String(decoding: bytes, as: UTF8.self)).events)
    }

    @Test(arguments: [
        "\n", "x\n", "[]\n", "{}\n", #"{"type":1}"# + "\n", #"{"type":"a","data":[]}"# + "\n",
        #"{"type":"a","data_length":-1}"# + "\n", #"{"type":"a","data_length":"7"}"# + "\n",
        #"{"type":"a","data_length":1.5}"# + "\n", #"{"type":"a","data_length":2}"# + "\n[]",
        #"{"type":"a","payload_length":true}"# + "\n",
    ])
    func anEventThatIsNotOneEndsReading(text: String) {
        var reader = WyomingReader()
        let read = reader.decode(Array(text.utf8))
        #expect(read.events.isEmpty)
        #expect(read.error?.code == "malformedEvent")
        let later = reader.decode(Array((#"{"type":"a"}"# + "\n").utf8))
        #expect(later.events.isEmpty)
        #expect(later.error == nil)
    }

    @Test func partsAreLimited() {
        var limits = WyomingLimits()
        limits.lineBytes = 40
        limits.dataBytes = 8
        limits.payloadBytes = 5
        #expect(decode(String(repeating: " ", count: 28) + #"{"type":"a"}"# + "\n", limits: limits).events.count == 1)
        #expect(
            decode(String(repeating: " ", count: 29) + #"{"type":"a"}"#, limits: limits).error?.code == "eventTooLong"
        )
        #expect(decode(#"{"type":"a","data_length":8}"# + "\n" + #"{"x":10}"#, limits: limits).events.count == 1)
        #expect(decode(#"{"type":"a","data_length":9}"# + "\n", limits: limits).error?.code == "eventTooLong")
        #expect(decode(#"{"type":"a","payload_length":5}"# + "\n", limits: limits).events.count == 1)
        #expect(decode(#"{"type":"a","payload_length":6}"# + "\n", limits: limits).error?.code == "eventTooLong")
        #expect(decode(#"{"type":"a","data_length":99999999999999999999}"# + "\n").error?.code == "malformedEvent")
    }

    @Test func nothingOfAPayloadIsStored() {
        var reader = WyomingReader()
        _ = reader.decode(Array((#"{"type":"audio-chunk","payload_length":1000000}"# + "\n").utf8))
        for _ in 0..<999 { _ = reader.decode([UInt8](repeating: 10, count: 1_000)) }
        #expect(reader.storedBytes == 0)
        _ = reader.decode([UInt8](repeating: 10, count: 1_000))
        #expect(reader.decode(Array((#"{"type":"a"}"# + "\n").utf8)).events.map(\.type) == ["a"])
    }

    @Test func aLineWithoutAnEndStoresNoMoreThanItsLimit() {
        var reader = WyomingReader()
        for _ in 0..<100 { _ = reader.decode([UInt8](repeating: 0x61, count: 1_000)) }
        #expect(reader.storedBytes <= WyomingLimits().lineBytes)
    }
}
