package import HAP

/// The requests for video that a sender sends.
package enum VideoQuery {
    /// The request that plays an address, in words.
    package static let playName = "POST \(VideoPath.play)"

    /// Plays an address from its beginning.
    package static func play(_ address: MediaAddress, host: String) -> HTTPRequest {
        let text = "\(VideoKey.location): \(address)\n\(VideoKey.startFraction): 0.0\n"
        return HTTPRequest(
            .post,
            VideoPath.play,
            host: host,
            contentType: StreamParameters.contentType,
            body: Array(text.utf8)
        )
    }

    /// Asks what plays.
    package static func status(host: String) -> HTTPRequest { HTTPRequest(.get, VideoPath.playbackInfo, host: host) }

    /// Stops.
    package static func stop(host: String) -> HTTPRequest { HTTPRequest(.post, VideoPath.stop, host: host) }
}
