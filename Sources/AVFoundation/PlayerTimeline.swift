import AirPlay
import MediaRouting

/// The samples of a player's queue, and the relation between what is heard and the items' times, from one start to the next
/// stop.
struct PlayerTimeline: Sendable {
    /// An item in the queue.
    struct Entry: Sendable {
        var id: ObjectIdentifier
        /// The samples, or `nil` while they aren't loaded.
        var file: WaveFile?
        /// The first frame to play.
        var position: Double
    }

    /// A part of the output.
    private struct Segment: Sendable {
        var id: ObjectIdentifier
        /// The frame of the output, and that of the item.
        var output: Int
        var position: Double
        /// Whether the item's time advances, which it doesn't while samples are missing.
        var isMoving: Bool
    }

    private var entries: [Entry]
    private let rate: Double
    private var index = 0
    private var rendered = 0
    private var segments: [Segment] = []
    private var ends: [(id: ObjectIdentifier, output: Int)] = []
    private var hasReachedEnd = false

    init(_ entries: [Entry], rate: Double) {
        (self.entries, self.rate) = (entries, rate)
        if let first = entries.first {
            segments = [Segment(id: first.id, output: 0, position: first.position, isMoving: true)]
        }
    }

    /// Whether the items after the first one can still be replaced.
    var isRenderingFirst: Bool { index == 0 && !hasReachedEnd }

    /// Replaces the items after the first one.
    mutating func replaceRest(_ rest: [Entry]) {
        entries = entries.prefix(1) + rest
    }

    /// Adds an item's samples, once they are loaded.
    mutating func setFile(_ file: WaveFile, of id: ObjectIdentifier) {
        for index in entries.indices where entries[index].id == id { entries[index].file = file }
    }

    /// Returns the next frames.
    ///
    /// - Parameter advances: Whether the next item follows the end of an item.
    mutating func render(_ frameCount: Int, advances: Bool) -> [Int16] {
        var samples: [Int16] = []
        samples.reserveCapacity(frameCount * AudioFormat.channelCount)
        while samples.count < frameCount * AudioFormat.channelCount {
            let wanted = frameCount - samples.count / AudioFormat.channelCount
            guard !hasReachedEnd, entries.indices.contains(index) else {
                appendSilence(wanted, to: &samples)
                continue
            }
            guard let file = entries[index].file else {
                addSegment(isMoving: false)
                appendSilence(wanted, to: &samples)
                continue
            }
            let left = Int(((Double(file.frameCount) - entries[index].position) / rate).rounded(.up))
            guard left > 0 else {
                endItem(advances: advances)
                continue
            }
            addSegment(isMoving: true)
            let count = min(wanted, left)
            file.read(from: entries[index].position, rate: rate, count: count, into: &samples)
            entries[index].position += Double(count) * rate
            rendered += count
        }
        return samples
    }

    private mutating func appendSilence(_ frameCount: Int, to samples: inout [Int16]) {
        samples += Array(repeating: 0, count: frameCount * AudioFormat.channelCount)
        rendered += frameCount
    }

    private mutating func addSegment(isMoving: Bool) {
        let entry = entries[index]
        guard segments.last?.id != entry.id || segments.last?.isMoving != isMoving else { return }
        segments.append(Segment(id: entry.id, output: rendered, position: entry.position, isMoving: isMoving))
    }

    private mutating func endItem(advances: Bool) {
        ends.append((entries[index].id, rendered))
        let position = entries[index].position
        if advances, index + 1 < entries.count {
            index += 1
            segments.append(
                Segment(id: entries[index].id, output: rendered, position: entries[index].position, isMoving: true)
            )
        } else {
            hasReachedEnd = true
            let id = entries[index].id
            segments.append(Segment(id: id, output: rendered, position: position, isMoving: false))
        }
    }

    /// Returns the item that is heard, and its frame, once a number of frames have been heard.
    func position(heard: Int) -> (id: ObjectIdentifier, frame: Double)? {
        guard let segment = segments.last(where: { $0.output <= heard }) else { return nil }
        let distance = segment.isMoving ? Double(heard - segment.output) * rate : 0
        return (segment.id, segment.position + distance)
    }

    /// Removes the next item whose end has been heard.
    mutating func removeEnd(heard: Int) -> ObjectIdentifier? {
        guard let end = ends.first, end.output <= heard else { return nil }
        ends.removeFirst()
        return end.id
    }
}
