import MediaModel
import MediaPicking
import Testing

@testable import MediaWeb

@Suite("A page without names says why, and takes other answers")
struct SourceFailureTests {
  private static let codes = ConsentError.Code.allCases.filter(\.isOfSource)
  private let headers = ["host": ["127.0.0.1:8042"], "origin": ["http://127.0.0.1:8042"]]

  private func request(_ method: String, _ target: String, _ body: String, token: String = "")
    -> PageRequest
  {
    var headers = headers
    if !token.isEmpty { headers[PageSession.tokenHeader] = [token] }
    return PageRequest(
      method: method,
      target: target,
      headers: { headers[$0] ?? [] },
      body: Array(body.utf8)
    )
  }

  private func response(
    _ session: inout PageSession,
    _ request: PageRequest
  ) throws -> PageResponse {
    guard case .response(let response) = session.respond(to: request) else {
      Issue.record("it waits")
      throw ConsentError(.pageUnavailable)
    }
    return response
  }

  @Test("The words are those of the code", arguments: codes)
  func words(_ code: ConsentError.Code) throws {
    var task = PageTask()
    task.token = PageTask.makeToken()
    task.choices = [.select, .deny, .later]
    var session = PageSession(task)
    #expect(session.source.hasList() == nil)
    try session.source.take(.failed(code))
    #expect(session.source.hasList() == false && session.source.failure == code)
    let token = try response(&session, request("POST", "/session", task.token)).body
    let accepted = String(decoding: token, as: UTF8.self)
    for path in ["/names?from=0", "/albums"] {
      let answer = try response(&session, request("GET", path, "", token: accepted))
      #expect(answer.status == 503)
      #expect(String(decoding: answer.body, as: UTF8.self) == "\(ConsentError(code))\n")
    }
    let picked = try response(&session, request("POST", "/answer", "select 0", token: accepted))
    #expect(picked.status == 400 && picked.answer == nil)
    let denied = try response(&session, request("POST", "/answer", "deny", token: accepted))
    #expect(denied.status == 200 && denied.answer == .denied)
  }

  @Test("Each code of a source has words of its own")
  func different() {
    #expect(Self.codes.contains(.databaseRefused) && Self.codes.contains(.folderUnreadable))
    #expect(Set(Self.codes.map { "\(ConsentError($0))" }).count == Self.codes.count)
  }
}
