import HomeHub
import HubNetwork

/// What the two hubs ask each other: requests to the one that leads, and its answers.
struct LeaderExchange: Sendable {
    private let requests: HubMessages
    private let answers: HubMessages
    private let line: LeaderLine
    private let followers: FollowerRequests

    init(over link: HubLink, of hub: HomeHub) {
        requests = HubMessages(over: link, as: .request, maximumBytes: LeaderLimits.messageBytes)
        answers = HubMessages(over: link, as: .answer, maximumBytes: LeaderLimits.answerBytes)
        line = hub.leaderLine
        followers = hub.followerRequests
    }

    /// Handles what happens on the connection.
    func handle(_ event: HubLink.Event) {
        let messages = (requests.handle(event), answers.handle(event))
        switch event {
        case .connected:
            line.connect { [requests] in requests.send($0) }
            followers.connect { [answers] in answers.send($0) }
        case .disconnected:
            line.disconnect()
            followers.disconnect()
        case .frame, .room: break
        }
        if let request = messages.0 { followers.receive(request) }
        if let answer = messages.1 { line.receive(answer) }
    }
}
