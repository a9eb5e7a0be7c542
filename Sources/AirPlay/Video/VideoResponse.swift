package import HAP

/// The responses of a receiver to requests for video.
package enum VideoResponse {
    private static let listType = "text/x-apple-plist+xml"
    static let version = "220.68"

    /// The receiver's description.
    package static func serverInfo(name: String) -> HTTPResponse {
        list(
            VideoStatus.list([
                "deviceid": VideoRecord.deviceID(name: name), "features": VideoRecord.features, "model": "Hearth",
                "name": name, "protovers": "1.0", "srcvers": version,
            ])
        )
    }

    /// The status.
    package static func playbackInfo(_ status: VideoStatus) -> HTTPResponse { list(status.playbackInfo) }

    /// The position.
    package static func position(_ status: VideoStatus) -> HTTPResponse {
        HTTPResponse(
            status: .ok,
            headers: [HTTPHeaderName.contentType: StreamParameters.contentType],
            body: status.scrub
        )
    }

    /// A property that has no value.
    package static let property = list(VideoStatus.list(["errorCode": 0]))

    /// The consent to turn the connection around.
    package static let reversed = HTTPResponse(
        status: .switchingProtocols,
        headers: [VideoHeader.upgrade: VideoHeader.reversed, HTTPHeaderName.connection: VideoHeader.upgrade]
    )

    /// The request that tells the sender of a change, on a connection that was turned around.
    package static func event(_ status: VideoStatus) -> [UInt8] {
        HTTPMessage.encode(headers: [HTTPHeaderName.contentType: listType], body: status.event) { line in
            line += "POST \(VideoPath.event) HTTP/1.1".utf8
        }
    }

    private static func list(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: [HTTPHeaderName.contentType: listType], body: body)
    }
}

extension HTTPStatus {
    /// 101: the connection continues with another protocol.
    package static let switchingProtocols = HTTPStatus(rawValue: 101)
}
