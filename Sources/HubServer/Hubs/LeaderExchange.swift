import HomeHub
import HubNetwork

/// What the two hubs ask each other: requests, most of them to the one that leads, the answers, and what each asks people.
struct LeaderExchange: Sendable {
    private let requests: HubMessages
    private let answers: HubMessages
    private let news: HubMessages
    private let line: LeaderLine
    private let followers: FollowerRequests
    private let questions: QuestionSharing

    init(over link: HubLink, of hub: HomeHub) {
        requests = HubMessages(over: link, as: .request, maximumBytes: LeaderLimits.messageBytes)
        answers = HubMessages(over: link, as: .answer, maximumBytes: LeaderLimits.answerBytes)
        news = HubMessages(over: link, as: .question, maximumBytes: QuestionSharing.newsBytes)
        line = hub.leaderLine
        questions = hub.questionSharing
        followers = hub.followerRequests
    }

    /// Handles what happens on the connection.
    func handle(_ event: HubLink.Event) {
        let messages = (requests.handle(event), answers.handle(event), news.handle(event))
        switch event {
        case .connected:
            line.connect { [requests] in requests.send($0) }
            followers.connect { [answers] in answers.send($0) }
            questions.connect { [news] in news.send($0) }
        case .disconnected:
            line.disconnect()
            followers.disconnect()
            questions.disconnect()
        case .frame, .room: break
        }
        if let request = messages.0 { followers.receive(request) }
        if let answer = messages.1 { line.receive(answer) }
        if let told = messages.2 { questions.receive(told) }
    }
}
