internal import MediaPicking
internal import MediaWorkerProtocol
internal import NIOCore

/// The page's end of the socket by which new tokens come, of 64 bytes each.
final class TokenHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connections: PageConnections
  private var bytes: [UInt8] = []

  init(_ connections: PageConnections) { self.connections = connections }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes += unwrapInboundIn(data).readableBytesView
    while bytes.count >= PageSession.tokenLength {
      let token = bytes.prefix(PageSession.tokenLength)
      connections.session.renew(String(decoding: token, as: UTF8.self))
      bytes.removeFirst(PageSession.tokenLength)
    }
  }
}

/// The page's end of the socket to its viewer.
final class ViewerHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connections: PageConnections
  private var reader = FrameReader()

  init(_ connections: PageConnections) { self.connections = connections }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unwrapInboundIn(data).withUnsafeReadableBytes { reader.append($0) }
    do throws(ProtocolError) {
      while let frame = try reader.next() {
        try connections.take(try ViewerMessage(frame: frame))
      }
    } catch {
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) { connections.loseViewer() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
