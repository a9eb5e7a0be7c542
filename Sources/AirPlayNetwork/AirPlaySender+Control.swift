package import AirPlay
internal import NIOCore

/// What apps change while a stream plays.
extension AirPlaySender {
    /// Discards what the receiver hasn't played, and sends nothing until ``resume()``.
    ///
    /// Returns when the receiver has discarded it.
    package func pause() async {
        guard !isPaused else { return }
        hold()
        if let stream { await discard(to: stream.position) }
    }

    /// Sends nothing until ``resume(at:)``. The receiver plays what it has.
    func hold() {
        isPaused = true
        pump?.cancel()
    }

    /// Has the receiver discard what it hasn't played, and sets the packet that is sent next. Nothing may be sent meanwhile.
    ///
    /// Returns when the receiver has discarded it.
    func discard(to position: StreamPosition) async {
        guard !isEnding, result == nil else { return }
        if stream == nil, position == start { return }
        start = position
        stream?.skip(to: position)
        session?.flush(to: position)
        sendNext()
        await waitForResponses()
    }

    /// Continues after ``pause()`` with the source's next samples.
    ///
    /// - Parameter time: The time at which the next packet is sent, or `nil` for soon.
    package func resume(at time: NTPTime? = nil) {
        guard isPaused, !isEnding, result == nil else { return }
        isPaused = false
        guard stream != nil else { return }
        stream?.restart(at: time ?? MonotonicClock.now.advanced(byNanoseconds: Self.leadTime))
        sendSync(isFirst: true)
        sendDuePackets()
    }

    /// Sends what plays, and the volume. Returns when the receiver has responded.
    ///
    /// - Parameters:
    ///   - nowPlaying: The values that have changed. Its progress is ignored.
    ///   - progress: The frames that have been heard of what plays, and the number of its frames.
    package func send(_ nowPlaying: NowPlaying, progress: (elapsed: Int, duration: Int)? = nil) async {
        guard !isEnding, result == nil, let stream else { return }
        var nowPlaying = nowPlaying
        nowPlaying.progress = progress.map { elapsed, duration in
            let current = isPaused ? stream.position.timestamp : stream.position.timestamp &- configuration.latency
            let start = current &- UInt32(truncatingIfNeeded: elapsed)
            return PlaybackProgress(start: start, current: current, end: start &+ UInt32(truncatingIfNeeded: duration))
        }
        session?.set(nowPlaying, at: stream.position)
        sendNext()
        await waitForResponses()
    }
}
