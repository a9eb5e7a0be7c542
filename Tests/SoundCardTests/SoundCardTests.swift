import SoundCard
import Testing

@Suite struct SoundCardTests {
    @Test func aCardThatIsNotThereIsNamed() {
        let error = #expect(throws: SoundCardError.self) {
            _ = try SoundCard("hearth-missing-card", sampleRate: 44_100)
        }
        guard case .failed(let device, let reason) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(device == "hearth-missing-card" && !reason.isEmpty)
    }
}
