"""A mail server that keeps what it takes: a file of JSON for each mail, as a mail program would read it.

    server.py PORT FOLDER [--certificate FILE --key FILE [--implicit]] [--password NAME:PASSWORD] [--answers 451,250]

Receivers are answered by what is in --answers, one after the other, and then by 250. While there is a file `hold` in the
folder, whoever sent a mail waits for the answer.
"""

import argparse
import asyncio
import email
import email.policy
import json
import os
import ssl

from aiosmtpd.smtp import SMTP, AuthResult

WORDS = {"250": "OK", "451": "try again later", "550": "no such user here"}


class Keeper:
    def __init__(self, folder, answers):
        self.folder, self.answers, self.number = folder, answers, 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = self.answers.pop(0) if self.answers else "250"
        self.keep("rcpt", {"address": address, "answer": answer})
        if answer == "250":
            envelope.rcpt_tos.append(address)
        return f"{answer} {WORDS[answer]}"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        part = lambda kind: mail.get_body((kind,)).get_content()
        self.keep("mail", {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "headers": {name: str(value) for name, value in mail.items()},
            "type": mail.get_content_type(),
            "plain": part("plain"),
            "html": part("html"),
            "is_ascii": envelope.content.isascii(),
            "is_encrypted": server.transport.get_extra_info("ssl_object") is not None,
            "name": session.auth_data,
        })
        while os.path.exists(os.path.join(self.folder, "hold")):
            await asyncio.sleep(0.05)
        return "250 OK"

    def keep(self, kind, what):
        self.number += 1
        place = os.path.join(self.folder, f"{kind}-{os.getpid()}-{self.number:04}")
        with open(place + ".part", "w") as file:
            json.dump(what, file)
        os.rename(place + ".part", place + ".json")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("folder")
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--implicit", action="store_true")
    parser.add_argument("--password")
    parser.add_argument("--answers", default="")
    asked = parser.parse_args()
    keeper = Keeper(asked.folder, [answer for answer in asked.answers.split(",") if answer])
    context = None
    if asked.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(asked.certificate, asked.key)

    def known(server, session, envelope, mechanism, data):
        said = f"{data.login.decode()}:{data.password.decode()}"
        if said != asked.password:
            # Not answered yet: 535.
            return AuthResult(success=False, handled=False)
        return AuthResult(success=True, auth_data=data.login.decode())

    def connected():
        more = {}
        if context and not asked.implicit:
            more.update(tls_context=context, require_starttls=True)
        if asked.password:
            more.update(authenticator=known, auth_required=True, auth_require_tls=not asked.implicit)
        return SMTP(keeper, hostname="localhost", enable_SMTPUTF8=True, **more)

    async def serve():
        over = context if asked.implicit else None
        server = await asyncio.get_running_loop().create_server(
            connected, "127.0.0.1", asked.port, ssl=over, reuse_address=True
        )
        async with server:
            await server.serve_forever()

    asyncio.run(serve())


main()
