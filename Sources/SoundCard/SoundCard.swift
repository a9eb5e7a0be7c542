/// A sound card that plays, through ALSA: two channels, 16 bits.
///
/// This owns the card until it is released, and is used by one thread.
package struct SoundCard: ~Copyable {
    /// The name of the system's usual card.
    package static let usualDevice = "default"
    /// The length of the card's buffer in microseconds.
    private static let bufferTime: CUnsignedInt = 50_000
    private static let channelCount = 2

    private let device: String
    private let library: ALSALibrary
    private let handle: ALSALibrary.Handle

    /// Opens a card.
    ///
    /// - Parameters:
    ///   - device: ALSA's name of it, such as `default` or `plughw:1,0`.
    ///   - sampleRate: The number of frames in a second.
    /// - Throws: ``SoundCardError``.
    package init(_ device: String = usualDevice, sampleRate: Int) throws(SoundCardError) {
        let library = try ALSALibrary()
        let handle = try Self.open(device, sampleRate, library)
        (self.device, self.library, self.handle) = (device, library, handle)
    }

    private static func open(
        _ device: String,
        _ sampleRate: Int,
        _ library: ALSALibrary
    ) throws(SoundCardError) -> ALSALibrary.Handle {
        var handle: ALSALibrary.Handle?
        var code = library.open(&handle, device, ALSALibrary.playback, 0)
        guard code >= 0, let handle else { throw .failed(device: device, reason: library.reason(code)) }
        // ALSA converts the rate if the card has another one.
        code = library.setParameters(
            handle,
            ALSALibrary.signed16,
            ALSALibrary.interleaved,
            CUnsignedInt(channelCount),
            CUnsignedInt(sampleRate),
            1,
            bufferTime
        )
        guard code >= 0 else {
            _ = library.close(handle)
            throw .failed(device: device, reason: library.reason(code))
        }
        return handle
    }

    deinit {
        _ = library.close(handle)
    }

    private borrowing func check(_ code: CInt) throws(SoundCardError) {
        guard code >= 0 else { throw .failed(device: device, reason: library.reason(code)) }
    }

    /// Writes samples, left and right alternating. Waits until the card has room for them.
    package borrowing func write(_ samples: [Int16]) throws(SoundCardError) {
        var start = 0
        while start < samples.count {
            let frames = CUnsignedLong((samples.count - start) / Self.channelCount)
            guard frames > 0 else { return }
            let count = samples.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { library.write(handle, $0 + start, frames) } ?? 0
            }
            if count >= 0 {
                start += Int(count) * Self.channelCount
            } else {
                // The card had nothing to play for a moment, or the machine slept.
                try check(library.recover(handle, CInt(count), 1))
            }
        }
    }

    /// The number of frames that were written and haven't been played.
    package var delay: Int {
        borrowing get {
            var frames: CLong = 0
            return library.delay(handle, &frames) >= 0 ? max(0, frames) : 0
        }
    }

    /// Discards what hasn't been played.
    package borrowing func discard() {
        _ = library.drop(handle)
        _ = library.prepare(handle)
    }

    /// Waits until everything has been played.
    package borrowing func drain() {
        _ = library.drain(handle)
    }
}
