import HubAPI

extension QuestionManager {
    /// Registers the methods about questions.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.questions) { _, session in
            // First the wish, then the list: a question of the moment between shows in both rather than in none.
            session.watchesQuestions = true
            return .done(Questions(questions: await self.waiting(for: session)))
        }
        router.on(HubMethods.answerQuestion) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in
                try await self.answer(parameters, from: session)
                return Empty()
            }
        }
        router.on(HubMethods.declineQuestion) { (parameters, session) async throws(HubError) in
            try await self.decline(parameters.id, from: session)
            return .done(Empty())
        }
    }
}
