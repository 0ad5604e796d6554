internal import Glibc
internal import MediaPicking
internal import MediaWorkerProtocol
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Answers the connections of a socket that listens, on the thread that calls, until a person has answered.
enum PageServer {
  /// Connections at once; one more closes the oldest.
  static let maximumConnections = 64
  /// The time for a connection's request and response together.
  static let connectionTime = TimeAmount.seconds(15)
  /// The time after which who waits for names is told to ask again, less than ``connectionTime``.
  static let listingTime = TimeAmount.seconds(10)
  /// The time for which the first names wait for capture times, so that they are sorted by them.
  static let timesTime = TimeAmount.seconds(2)
  /// The seconds after which who waits for a picture is told that it is late: a viewer or a worker may hang.
  static let pictureSeconds: Int64 = 3
  /// The time for the last response to go out.
  static let lastTime = TimeAmount.seconds(2)

  /// Serves until there is an answer, or no request for some time.
  ///
  /// - Parameters:
  ///   - session: The question.
  ///   - listener: A socket that listens, owned by this call.
  ///   - tokens: A socket by which the coordinator sends new tokens, owned by this call.
  ///   - viewer: A socket to the process that shows a source, owned by this call; nil for none.
  ///   - finish: Called once, with the answer.
  /// - Returns: The exit code 70: the socket cannot be served. With an answer the process ends here.
  static func serve(
    _ session: PageSession,
    listener: Int32,
    tokens: Int32,
    viewer: Int32?,
    finish: @escaping (PageReply) -> Void
  ) -> Int32 {
    // No thread but this one: it was confined, and the filter refuses another.
    MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
      let connections = PageConnections(session, on: loop) { reply in
        finish(reply)
        exit(0)
      }
      let bound = NIOLoopBound(connections, eventLoop: loop)
      ServerBootstrap(group: loop)
        .serverChannelOption(ChannelOptions.maxMessagesPerRead, value: 16)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(
              withPipeliningAssistance: false,
              withErrorHandling: true
            )
            try pipeline.addHandler(ConnectionHandler(bound.value))
            bound.value.add(channel)
          }
        }
        .withBoundSocket(listener)
        .whenFailure { _ in exit(70) }
      connect(tokens, on: loop) { channel in
        try channel.pipeline.syncOperations.addHandler(TokenHandler(bound.value))
      }
      if let viewer {
        connect(viewer, on: loop) { channel in
          try channel.pipeline.syncOperations.addHandler(ViewerHandler(bound.value))
          bound.value.viewer = channel
        }
      }
      connections.watchIdleTime()
    }
    return 70
  }

  private static func connect(
    _ socket: Int32,
    on loop: any EventLoop,
    _ fill: @escaping @Sendable (any Channel) throws -> Void
  ) {
    ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try fill(channel)
        }
      }
      .withConnectedSocket(socket)
      .whenFailure { _ in exit(70) }
  }
}

/// The open connections of a page, and what they share.
final class PageConnections {
  var session: PageSession
  let loop: any EventLoop
  /// The connection to the process that shows a source.
  var viewer: (any Channel)?
  /// The requests that wait for the viewer.
  private var waiters: [Waiter] = []
  /// The time at which somebody waited for the names first.
  private var listingBegan: NIODeadline?
  private let finish: (PageReply) -> Void
  /// The open connections, the oldest first.
  private var channels: [any Channel] = []
  private var idleTime: IdleTime
  private var isFinished = false

  init(_ session: PageSession, on loop: any EventLoop, finish: @escaping (PageReply) -> Void) {
    self.session = session
    self.loop = loop
    self.finish = finish
    idleTime = IdleTime(seconds: session.idleSeconds, from: NIODeadline.now().uptimeNanoseconds)
  }

  func add(_ channel: any Channel) {
    channels.append(channel)
    // A client that opens connections without end closes its own, the oldest ones.
    while channels.count > PageServer.maximumConnections {
      channels.removeFirst().close(promise: nil)
    }
    let bound = NIOLoopBound(self, eventLoop: loop)
    channel.closeFuture.whenComplete { _ in
      bound.value.channels.removeAll { $0 === channel }
      bound.value.leave(channel)
    }
  }

  /// A request whose response waits for the viewer.
  private struct Waiter {
    let channel: any Channel
    let request: PageRequest
    /// The number of the picture that it waits for; nil where it waits for all names.
    let picture: Int?
    let answer: (PageResponse) -> Void
  }

  /// Answers a request now, or once the viewer has told what is missing.
  func respond(
    to request: PageRequest,
    of channel: any Channel,
    answer: @escaping (PageResponse) -> Void
  ) {
    let outcome = session.respond(to: request)
    if session.isFromPerson { idleTime.begin(at: NIODeadline.now().uptimeNanoseconds) }
    switch outcome {
    case .response: break
    case .waitsForNames:
      listingBegan = listingBegan ?? .now()
      putOff(channel, in: PageServer.listingTime)
    case .waitsForPicture: putOff(channel, in: .seconds(PageServer.pictureSeconds))
    }
    settle(outcome, of: request, on: channel, answer: answer)
    sendRequests()
  }

  /// Answers a request, or keeps it until the viewer has told what is missing.
  private func settle(
    _ outcome: PageOutcome,
    of request: PageRequest,
    on channel: any Channel,
    answer: @escaping (PageResponse) -> Void
  ) {
    switch outcome {
    case .response(let response): answer(response)
    case .waitsForNames:
      waiters.append(Waiter(channel: channel, request: request, picture: nil, answer: answer))
    case .waitsForPicture(let index):
      waiters.append(Waiter(channel: channel, request: request, picture: index, answer: answer))
    }
  }

  /// Takes what a viewer says, and answers the requests that waited for it.
  func take(_ message: ViewerMessage) throws(ProtocolError) {
    if case .failed(let code) = message, !code.isOfSource {
      return end(with: .failed(code), after: nil)
    }
    try session.source.take(message)
    if case .listed = message {
      let bound = NIOLoopBound(self, eventLoop: loop)
      loop.scheduleTask(in: PageServer.timesTime) { bound.value.endWaitForTimes() }
    }
    answerWaiters()
  }

  /// Shows the names in the order of the times that are known by now.
  private func endWaitForTimes() {
    guard session.source.hasList() == nil else { return }
    session.source.sortByTimes()
    answerWaiters()
  }

  /// Notes that the viewer has ended, or has broken the protocol.
  func loseViewer() {
    viewer = nil
    session.source.fail()
    answerWaiters()
  }

  private func answerWaiters() {
    let waiting = waiters
    waiters = []
    for waiter in waiting {
      // A message of the viewer is no request of the person: the idle time goes on.
      let outcome = session.respond(to: waiter.request)
      settle(outcome, of: waiter.request, on: waiter.channel, answer: waiter.answer)
    }
    sendRequests()
  }

  /// Tells who still waits after a time to ask again: a large folder on a slow disk takes its time.
  private func putOff(_ channel: any Channel, in time: TimeAmount) {
    let bound = NIOLoopBound((self, channel), eventLoop: loop)
    loop.scheduleTask(in: time) {
      let (connections, channel) = bound.value
      connections.putOff(channel)
    }
  }

  private func putOff(_ channel: any Channel) {
    guard let waiter = waiters.first(where: { $0.channel === channel }) else { return }
    leave(channel)
    if let picture = waiter.picture { return waiter.answer(session.late(picture)) }
    let waited = listingBegan.map { NIODeadline.now() - $0 } ?? .zero
    waiter.answer(session.slowList(after: waited.nanoseconds / 1_000_000_000))
  }

  /// Forgets what a closed connection waited for.
  private func leave(_ channel: any Channel) {
    guard waiters.contains(where: { $0.channel === channel }) else { return }
    waiters.removeAll { $0.channel === channel }
    session.source.leaveOut(except: Set(waiters.compactMap(\.picture)))
  }

  private func sendRequests() {
    for request in session.source.takeRequests() {
      guard let viewer else {
        session.source.fail()
        return answerWaiters()
      }
      viewer.writeAndFlush(ByteBuffer(bytes: request.frame), promise: nil)
    }
  }

  /// Ends the page when its last response is out, at the latest after ``PageServer/lastTime``.
  func end(with answer: PickerAnswer, after sent: EventLoopFuture<Void>?) {
    guard !isFinished else { return }
    isFinished = true
    let reply = PageReply(
      shownCount: session.shownCount,
      answer: answer,
      selectedCount: session.selectedCount,
      languages: session.languages
    )
    let bound = NIOLoopBound(finish, eventLoop: loop)
    guard let sent else { return finish(reply) }
    sent.whenComplete { _ in bound.value(reply) }
    loop.scheduleTask(in: PageServer.lastTime) { bound.value(reply) }
  }

  /// Whether somebody has answered, so that no other answer counts.
  var hasEnded: Bool { isFinished }

  func watchIdleTime() {
    let bound = NIOLoopBound(self, eventLoop: loop)
    loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
      let connections = bound.value
      if connections.idleTime.isOver(at: NIODeadline.now().uptimeNanoseconds) {
        connections.end(with: .canceled, after: nil)
      }
    }
  }
}

/// A connection, which has one request and one response.
private final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let connections: PageConnections
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  /// Whether the request was read: what follows it is ignored, so that a connection waits once.
  private var hasAsked = false

  init(_ connections: PageConnections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    context.eventLoop.scheduleTask(in: PageServer.connectionTime) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasAsked else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(let part):
      body += part.readableBytesView
      if body.count > PageSession.maximumBodyLength {
        hasAsked = true
        send(.text(413, "That is too much.\n"), context)
      }
    case .end:
      guard let head else { return }
      hasAsked = true
      guard !connections.hasEnded else {
        return send(.text(410, "The question was answered.\n"), context)
      }
      let request = PageRequest(
        method: head.method.rawValue,
        target: head.uri,
        headers: { head.headers[$0] },
        body: body
      )
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      connections.respond(to: request, of: context.channel) { response in
        let (handler, context) = bound.value
        handler.send(response, context)
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func send(_ response: PageResponse, _ context: ChannelHandlerContext) {
    var headers: HTTPHeaders = [
      "Content-Type": response.type,
      "Content-Length": "\(response.body.count)",
      "Connection": "close",
      "Cache-Control": "no-store",
      "Content-Security-Policy":
        // A picture is fetched with the token, which an <img> cannot send, and then shown as a blob.
        "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    ]
    if response.status == 204 {
      // Source: RFC 9110, section 8.6.
      for name in ["Content-Length", "Content-Type"] { headers.remove(name: name) }
    }
    if let next = response.next { headers.add(name: "Mediabatch-Next", value: next) }
    if response.isLate { headers.add(name: "Mediabatch-Late", value: "1") }
    let head = HTTPResponseHead(
      version: .http1_1,
      status: HTTPResponseStatus(statusCode: response.status),
      headers: headers
    )
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let body = ByteBuffer(bytes: response.body)
    if self.head?.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
    let channel = context.channel
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    if let answer = response.answer {
      connections.end(with: answer, after: channel.closeFuture)
    }
  }
}
