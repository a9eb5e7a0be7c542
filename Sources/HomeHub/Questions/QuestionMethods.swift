import HubAPI

extension QuestionManager {
    /// Registers the methods for questions.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.questions) { _, session in
            // The session subscribes first and then gets the list, so that a question asked in between appears in both,
            // not in none.
            session.watchesQuestions = true
            return .done(Questions(questions: await self.waiting(for: session)))
        }
        router.on(HubMethods.answerQuestion) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in
                try await self.answer(parameters, from: session)
                return Empty()
            }
        }
        router.on(HubMethods.renewQuestion) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in
                RenewedQuestion(expires: try await self.renew(parameters.id, from: session))
            }
        }
        router.on(HubMethods.declineQuestion) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in
                try await self.decline(parameters.id, from: session)
                return Empty()
            }
        }
    }
}
