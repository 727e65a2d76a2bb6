<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- The English texts of the window. The target coterie-translations writes this file; only plurals are written by hand. -->
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AboutPage</name>
    <message>
        <source>About Coterie</source>
        <translation>About Coterie</translation>
    </message>
    <message>
        <source>Command that lists network connections</source>
        <translation>Command that lists network connections</translation>
    </message>
    <message>
        <source>Coterie %1</source>
        <translation>Coterie %1</translation>
    </message>
    <message>
        <source>Coterie never opens a network connection. It has no accounts, looks for no updates and sends no statistics. Models and chats are files on your disk.</source>
        <translation>Coterie never opens a network connection. It has no accounts, looks for no updates and sends no statistics. Models and chats are files on your disk.</translation>
    </message>
    <message>
        <source>Nothing leaves this computer</source>
        <translation>Nothing leaves this computer</translation>
    </message>
    <message>
        <source>Private chat with models on this computer. Coterie is free software under the Apache License 2.0. It is built on Qt (LGPL), SQLite and SQLiteCpp, and on header libraries by N. Lohmann (JSON) and the authors of CLI11.</source>
        <translation>Private chat with models on this computer. Coterie is free software under the Apache License 2.0. It is built on Qt (LGPL), SQLite and SQLiteCpp, and on header libraries by N. Lohmann (JSON) and the authors of CLI11.</translation>
    </message>
    <message>
        <source>To check this, disconnect from the network: everything still works. Or run this command while Coterie answers; it finds no connection:</source>
        <translation>To check this, disconnect from the network: everything still works. Or run this command while Coterie answers; it finds no connection:</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <source>Model activity</source>
        <translation>Model activity</translation>
    </message>
</context>
<context>
    <name>ActivityPane</name>
    <message>
        <source>Close this pane</source>
        <translation>Close this pane</translation>
    </message>
    <message>
        <source>Model activity</source>
        <translation>Model activity</translation>
    </message>
    <message>
        <source>Show as a page</source>
        <translation>Show as a page</translation>
    </message>
</context>
<context>
    <name>ActivityView</name>
    <message>
        <source>Coterie uses %1.</source>
        <translation>Coterie uses %1.</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experts</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Layers</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memory</translation>
    </message>
    <message>
        <source>Take a first look</source>
        <translation>Take a first look</translation>
    </message>
</context>
<context>
    <name>AnswerFigures</name>
    <message>
        <source>Active neurons</source>
        <translation>Active neurons</translation>
    </message>
    <message>
        <source>Different experts used, by tokens</source>
        <translation>Different experts used, by tokens</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Figures</translation>
    </message>
    <message>
        <source>Gini index of each layer</source>
        <translation>Gini index of each layer</translation>
    </message>
    <message>
        <source>How evenly experts are used</source>
        <translation>How evenly experts are used</translation>
    </message>
    <message>
        <source>Open the model again with %1</source>
        <translation>Open the model again with %1</translation>
    </message>
    <message>
        <source>Share from memory, by the room for experts</source>
        <translation>Share from memory, by the room for experts</translation>
    </message>
    <message>
        <source>Share of active neurons in each layer</source>
        <translation>Share of active neurons in each layer</translation>
    </message>
    <message>
        <source>Would more memory help?</source>
        <translation>Would more memory help?</translation>
    </message>
</context>
<context>
    <name>BinPage</name>
    <message>
        <source>Bin</source>
        <translation>Bin</translation>
    </message>
    <message numerus="yes">
        <source>Deleted chats and messages stay here for %Ln day(s). Then they are erased.</source>
        <translation><numerusform>Deleted chats and messages stay here for %Ln day. Then they are erased.</numerusform><numerusform>Deleted chats and messages stay here for %Ln days. Then they are erased.</numerusform></translation>
    </message>
    <message>
        <source>Empty the bin</source>
        <translation>Empty the bin</translation>
    </message>
    <message>
        <source>Erase everything</source>
        <translation>Erase everything</translation>
    </message>
    <message>
        <source>Erase everything in the bin? This can't be undone.</source>
        <translation>Erase everything in the bin? This can't be undone.</translation>
    </message>
    <message>
        <source>Keep everything</source>
        <translation>Keep everything</translation>
    </message>
    <message numerus="yes">
        <source>The bin is empty. Deleted chats and messages stay here for %Ln day(s).</source>
        <translation><numerusform>The bin is empty. Deleted chats and messages stay here for %Ln day.</numerusform><numerusform>The bin is empty. Deleted chats and messages stay here for %Ln days.</numerusform></translation>
    </message>
</context>
<context>
    <name>BinRow</name>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) left</source>
        <translation><numerusform>%Ln day left</numerusform><numerusform>%Ln days left</numerusform></translation>
    </message>
    <message>
        <source>(no text)</source>
        <translation>(no text)</translation>
    </message>
    <message>
        <source>Answer in "%1"</source>
        <translation>Answer in "%1"</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Erase %1</source>
        <translation>Erase %1</translation>
    </message>
    <message>
        <source>Erase for good</source>
        <translation>Erase for good</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restore</translation>
    </message>
    <message>
        <source>Restore %1</source>
        <translation>Restore %1</translation>
    </message>
    <message>
        <source>This can't be undone</source>
        <translation>This can't be undone</translation>
    </message>
    <message>
        <source>Your message in "%1"</source>
        <translation>Your message in "%1"</translation>
    </message>
    <message numerus="yes">
        <source>deleted %Ln day(s) ago</source>
        <translation><numerusform>deleted %Ln day ago</numerusform><numerusform>deleted %Ln days ago</numerusform></translation>
    </message>
    <message>
        <source>deleted today</source>
        <translation>deleted today</translation>
    </message>
    <message>
        <source>deleted yesterday</source>
        <translation>deleted yesterday</translation>
    </message>
    <message>
        <source>erased at the next start</source>
        <translation>erased at the next start</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message numerus="yes">
        <source>%Ln chat(s) found</source>
        <translation><numerusform>%Ln chat found</numerusform><numerusform>%Ln chats found</numerusform></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Clear the search</translation>
    </message>
    <message>
        <source>Hide the list of chats</source>
        <translation>Hide the list of chats</translation>
    </message>
    <message>
        <source>No chat contains these words.</source>
        <translation>No chat contains these words.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Search</translation>
    </message>
    <message>
        <source>Searching&#8230;</source>
        <translation>Searching&#8230;</translation>
    </message>
    <message>
        <source>Your chats will appear here.</source>
        <translation>Your chats will appear here.</translation>
    </message>
</context>
<context>
    <name>ChatRow</name>
    <message>
        <source>An answer is being written</source>
        <translation>An answer is being written</translation>
    </message>
</context>
<context>
    <name>ChatRowTools</name>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Rename</translation>
    </message>
</context>
<context>
    <name>ChatSection</name>
    <message>
        <source>Older</source>
        <translation>Older</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>This week</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Today</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Yesterday</translation>
    </message>
</context>
<context>
    <name>ChatTitleField</name>
    <message>
        <source>New title</source>
        <translation>New title</translation>
    </message>
</context>
<context>
    <name>ChoiceBar</name>
    <message>
        <source>Not available now</source>
        <translation>Not available now</translation>
    </message>
</context>
<context>
    <name>ChoiceMenu</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>CodeFrame</name>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Code, %1</source>
        <translation>Code, %1</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copied</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Copy code</translation>
    </message>
    <message>
        <source>Coterie runs no tools; it only shows what the model asks for. Write the result as your next message.</source>
        <translation>Coterie runs no tools; it only shows what the model asks for. Write the result as your next message.</translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation>Tool call</translation>
    </message>
    <message>
        <source>Tool call: %1</source>
        <translation>Tool call: %1</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>All commands</source>
        <translation>All commands</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Commands</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Find a command</translation>
    </message>
    <message>
        <source>No command contains these words.</source>
        <translation>No command contains these words.</translation>
    </message>
</context>
<context>
    <name>CommandRow</name>
    <message>
        <source> or </source>
        <translation> or </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>How does the text begin?</source>
        <translation>How does the text begin?</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Message</translation>
    </message>
    <message>
        <source>Open a model to write to it</source>
        <translation>Open a model to write to it</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Send</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stop</translation>
    </message>
    <message>
        <source>The model answers without thinking first</source>
        <translation>The model answers without thinking first</translation>
    </message>
    <message>
        <source>The model is being opened</source>
        <translation>The model is being opened</translation>
    </message>
    <message>
        <source>The model thinks before it answers</source>
        <translation>The model thinks before it answers</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Write a message</translation>
    </message>
</context>
<context>
    <name>ContextGauge</name>
    <message numerus="yes">
        <source>%1 of %Ln token(s)</source>
        <comment>of the context</comment>
        <translation><numerusform>%1 of %Ln token</numerusform><numerusform>%1 of %Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Context</translation>
    </message>
    <message>
        <source>Context: %1</source>
        <translation>Context: %1</translation>
    </message>
</context>
<context>
    <name>ConversationPage</name>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 tok/s</translation>
    </message>
    <message>
        <source>Model activity</source>
        <translation>Model activity</translation>
    </message>
    <message>
        <source>Show the list of chats</source>
        <translation>Show the list of chats</translation>
    </message>
    <message>
        <source>Speed: %1</source>
        <translation>Speed: %1</translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Cancel</source>
        <translation>Cancel</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation>Jump to latest</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Reading</translation>
    </message>
    <message numerus="yes">
        <source>Reading %1 of %Ln token(s)</source>
        <comment>of the prompt</comment>
        <translation><numerusform>Reading %1 of %Ln token</numerusform><numerusform>Reading %1 of %Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Stopping</translation>
    </message>
    <message>
        <source>The answer has ended</source>
        <translation>The answer has ended</translation>
    </message>
    <message>
        <source>The model is answering</source>
        <translation>The model is answering</translation>
    </message>
    <message>
        <source>The model is being opened.</source>
        <translation>The model is being opened.</translation>
    </message>
    <message>
        <source>This model continues texts: write the beginning of one.</source>
        <translation>This model continues texts: write the beginning of one.</translation>
    </message>
    <message>
        <source>Waiting for the answer of another chat</source>
        <translation>Waiting for the answer of another chat</translation>
    </message>
    <message>
        <source>Write the first message below.</source>
        <translation>Write the first message below.</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Writing</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation>Copied</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Copy message</translation>
    </message>
</context>
<context>
    <name>DemoStart</name>
    <message>
        <source>Ask the demo model</source>
        <translation>Ask the demo model</translation>
    </message>
    <message>
        <source>For everything else, open a larger model:</source>
        <translation>For everything else, open a larger model:</translation>
    </message>
    <message>
        <source>How do I open a model?</source>
        <translation>How do I open a model?</translation>
    </message>
    <message>
        <source>Tell me a short story about a fox.</source>
        <translation>Tell me a short story about a fox.</translation>
    </message>
    <message>
        <source>This tiny model comes with Coterie. It answers questions about this program and about Mixture-of-Experts models, and it makes mistakes.</source>
        <translation>This tiny model comes with Coterie. It answers questions about this program and about Mixture-of-Experts models, and it makes mistakes.</translation>
    </message>
    <message>
        <source>Try the demo model</source>
        <translation>Try the demo model</translation>
    </message>
    <message>
        <source>What is 7 times 8?</source>
        <translation>What is 7 times 8?</translation>
    </message>
    <message>
        <source>What is an expert cache?</source>
        <translation>What is an expert cache?</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>%1 experts can't form %2 groups of the same size</source>
        <translation>%1 experts can't form %2 groups of the same size</translation>
    </message>
    <message>
        <source>%1 groups leave fewer than two experts in a group</source>
        <translation>%1 groups leave fewer than two experts in a group</translation>
    </message>
    <message>
        <source>%1 heads can't share %2 key heads</source>
        <translation>%1 heads can't share %2 key heads</translation>
    </message>
    <message>
        <source>%1 heads don't divide a width of %2</source>
        <translation>%1 heads don't divide a width of %2</translation>
    </message>
    <message>
        <source>%1 in line %2</source>
        <translation>%1 in line %2</translation>
    </message>
    <message>
        <source>%1 is a database of another program</source>
        <translation>%1 is a database of another program</translation>
    </message>
    <message>
        <source>%1 is not one of the %2 tokens</source>
        <translation>%1 is not one of the %2 tokens</translation>
    </message>
    <message>
        <source>%1 is odd, and rotation takes pairs</source>
        <translation>%1 is odd, and rotation takes pairs</translation>
    </message>
    <message>
        <source>%1 slots can't hold the %2 experts that one layer uses for a token</source>
        <translation>%1 slots can't hold the %2 experts that one layer uses for a token</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>%1; %2; %3</source>
        <translation>%1; %2; %3</translation>
    </message>
    <message>
        <source>A context of %1 tokens is not possible</source>
        <translation>A context of %1 tokens is not possible</translation>
    </message>
    <message>
        <source>A dimension of the tensor %1 is %2, too large</source>
        <translation>A dimension of the tensor %1 is %2, too large</translation>
    </message>
    <message>
        <source>A dimension of the tensor %1 is 0</source>
        <translation>A dimension of the tensor %1 is 0</translation>
    </message>
    <message>
        <source>A direct read was not aligned to %1 bytes</source>
        <translation>A direct read was not aligned to %1 bytes</translation>
    </message>
    <message>
        <source>A forward pass came before upload</source>
        <translation>A forward pass came before upload</translation>
    </message>
    <message>
        <source>A later version of the program wrote it</source>
        <translation>A later version of the program wrote it</translation>
    </message>
    <message>
        <source>A layer has a negative number of experts</source>
        <translation>A layer has a negative number of experts</translation>
    </message>
    <message>
        <source>A prompt must start with a token that tokenizer.ggml.bos_token_id doesn't name</source>
        <translation>A prompt must start with a token that tokenizer.ggml.bos_token_id doesn't name</translation>
    </message>
    <message>
        <source>A row of the tensor %1 has %2 values, not a whole number of %3 blocks</source>
        <translation>A row of the tensor %1 has %2 values, not a whole number of %3 blocks</translation>
    </message>
    <message>
        <source>A score is not a number</source>
        <translation>A score is not a number</translation>
    </message>
    <message>
        <source>A share of approximate routing is out of range</source>
        <translation>A share of approximate routing is out of range</translation>
    </message>
    <message>
        <source>A stop string is empty</source>
        <translation>A stop string is empty</translation>
    </message>
    <message>
        <source>A stored trace can't be read</source>
        <translation>A stored trace can't be read</translation>
    </message>
    <message>
        <source>A token is unknown to the model</source>
        <translation>A token is unknown to the model</translation>
    </message>
    <message>
        <source>A token uses %1 experts, and so many groups have only %2</source>
        <translation>A token uses %1 experts, and so many groups have only %2</translation>
    </message>
    <message>
        <source>A trace can't be kept</source>
        <translation>A trace can't be kept</translation>
    </message>
    <message>
        <source>A trace can't be stored</source>
        <translation>A trace can't be stored</translation>
    </message>
    <message>
        <source>A trace of so many tokens can't be kept</source>
        <translation>A trace of so many tokens can't be kept</translation>
    </message>
    <message>
        <source>All %1 slots are in use by one request</source>
        <translation>All %1 slots are in use by one request</translation>
    </message>
    <message>
        <source>Allow more memory, choose a shorter context, or choose a smaller model</source>
        <translation>Allow more memory, choose a shorter context, or choose a smaller model</translation>
    </message>
    <message>
        <source>Allow more memory, or choose a smaller model</source>
        <translation>Allow more memory, or choose a smaller model</translation>
    </message>
    <message>
        <source>Allow writing there, or start Coterie with another folder (--data-dir)</source>
        <translation>Allow writing there, or start Coterie with another folder (--data-dir)</translation>
    </message>
    <message>
        <source>An attached file is not there any more</source>
        <translation>An attached file is not there any more</translation>
    </message>
    <message>
        <source>An empty text would end every answer at once</source>
        <translation>An empty text would end every answer at once</translation>
    </message>
    <message>
        <source>An expert that does not exist was waited for</source>
        <translation>An expert that does not exist was waited for</translation>
    </message>
    <message>
        <source>An expert was not read</source>
        <translation>An expert was not read</translation>
    </message>
    <message>
        <source>An expert was waited for by a pass that has ended</source>
        <translation>An expert was waited for by a pass that has ended</translation>
    </message>
    <message>
        <source>An expert was waited for that had not been requested</source>
        <translation>An expert was waited for that had not been requested</translation>
    </message>
    <message>
        <source>An expert's matrix has no tensor</source>
        <translation>An expert's matrix has no tensor</translation>
    </message>
    <message>
        <source>Another folder has this name</source>
        <translation>Another folder has this name</translation>
    </message>
    <message>
        <source>Another program uses the file of chats</source>
        <translation>Another program uses the file of chats</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Ask again</translation>
    </message>
    <message>
        <source>Ask for fewer tokens</source>
        <translation>Ask for fewer tokens</translation>
    </message>
    <message>
        <source>Attach a file of at most %1</source>
        <translation>Attach a file of at most %1</translation>
    </message>
    <message>
        <source>Attach the file again</source>
        <translation>Attach the file again</translation>
    </message>
    <message>
        <source>Bytes beyond the end of the tensor %1 were asked for</source>
        <translation>Bytes beyond the end of the tensor %1 were asked for</translation>
    </message>
    <message>
        <source>Can't find out how much space is free in %1</source>
        <translation>Can't find out how much space is free in %1</translation>
    </message>
    <message>
        <source>Can't make the folder %1</source>
        <translation>Can't make the folder %1</translation>
    </message>
    <message>
        <source>Can't open %1</source>
        <translation>Can't open %1</translation>
    </message>
    <message>
        <source>Can't pack %1</source>
        <translation>Can't pack %1</translation>
    </message>
    <message>
        <source>Can't pack the model into %1</source>
        <translation>Can't pack the model into %1</translation>
    </message>
    <message>
        <source>Can't read %1</source>
        <translation>Can't read %1</translation>
    </message>
    <message>
        <source>Can't read the folder %1</source>
        <translation>Can't read the folder %1</translation>
    </message>
    <message>
        <source>Can't remove %1</source>
        <translation>Can't remove %1</translation>
    </message>
    <message>
        <source>Can't replace %1</source>
        <translation>Can't replace %1</translation>
    </message>
    <message>
        <source>Can't use the folder of %1</source>
        <translation>Can't use the folder of %1</translation>
    </message>
    <message>
        <source>Can't write %1</source>
        <translation>Can't write %1</translation>
    </message>
    <message>
        <source>Change the conversation, for example its system message, or choose another template</source>
        <translation>Change the conversation, for example its system message, or choose another template</translation>
    </message>
    <message>
        <source>Check that it is the right file</source>
        <translation>Check that it is the right file</translation>
    </message>
    <message>
        <source>Check that the disk is attached and in order</source>
        <translation>Check that the disk is attached and in order</translation>
    </message>
    <message>
        <source>Check the disk and try again</source>
        <translation>Check the disk and try again</translation>
    </message>
    <message>
        <source>Check the path, and that the disk is attached</source>
        <translation>Check the path, and that the disk is attached</translation>
    </message>
    <message>
        <source>Check the permissions of the file and of its folder</source>
        <translation>Check the permissions of the file and of its folder</translation>
    </message>
    <message>
        <source>Choose 'auto'</source>
        <translation>Choose 'auto'</translation>
    </message>
    <message>
        <source>Choose a KV cache in F16</source>
        <translation>Choose a KV cache in F16</translation>
    </message>
    <message>
        <source>Choose a context from 1 to %1</source>
        <translation>Choose a context from 1 to %1</translation>
    </message>
    <message>
        <source>Choose a file of this model in one of these formats: %1</source>
        <translation>Choose a file of this model in one of these formats: %1</translation>
    </message>
    <message>
        <source>Choose a little-endian file of version 2 or 3</source>
        <translation>Choose a little-endian file of version 2 or 3</translation>
    </message>
    <message>
        <source>Choose a model of one of these families</source>
        <translation>Choose a model of one of these families</translation>
    </message>
    <message>
        <source>Choose a shorter context, or the device cpu</source>
        <translation>Choose a shorter context, or the device cpu</translation>
    </message>
    <message>
        <source>Choose a value in that range</source>
        <translation>Choose a value in that range</translation>
    </message>
    <message>
        <source>Choose another chat</source>
        <translation>Choose another chat</translation>
    </message>
    <message>
        <source>Choose another file</source>
        <translation>Choose another file</translation>
    </message>
    <message>
        <source>Choose another file of this model</source>
        <translation>Choose another file of this model</translation>
    </message>
    <message>
        <source>Choose another folder</source>
        <translation>Choose another folder</translation>
    </message>
    <message>
        <source>Choose another message</source>
        <translation>Choose another message</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>Choose another model</translation>
    </message>
    <message>
        <source>Choose another name</source>
        <translation>Choose another name</translation>
    </message>
    <message>
        <source>Choose another template or model file</source>
        <translation>Choose another template or model file</translation>
    </message>
    <message>
        <source>Choose another template, because this one never ends or asks for too much</source>
        <translation>Choose another template, because this one never ends or asks for too much</translation>
    </message>
    <message>
        <source>Choose one of these, or auto</source>
        <translation>Choose one of these, or auto</translation>
    </message>
    <message>
        <source>Choose one of these, or leave the option out</source>
        <translation>Choose one of these, or leave the option out</translation>
    </message>
    <message>
        <source>Choose the device cpu or auto</source>
        <translation>Choose the device cpu or auto</translation>
    </message>
    <message>
        <source>Close it and try again</source>
        <translation>Close it and try again</translation>
    </message>
    <message>
        <source>Close other programs and try again</source>
        <translation>Close other programs and try again</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model or context</source>
        <translation>Close other programs, or choose a smaller model or context</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model, context or memory budget</source>
        <translation>Close other programs, or choose a smaller model, context or memory budget</translation>
    </message>
    <message>
        <source>Close other windows of Coterie, and check who may write there</source>
        <translation>Close other windows of Coterie, and check who may write there</translation>
    </message>
    <message>
        <source>Download the file again, or choose another</source>
        <translation>Download the file again, or choose another</translation>
    </message>
    <message>
        <source>Download the model again if the file may be damaged. If it is whole, try --kernels scalar and report what you see</source>
        <translation>Download the model again if the file may be damaged. If it is whole, try --kernels scalar and report what you see</translation>
    </message>
    <message>
        <source>Download the model again, or from another source</source>
        <translation>Download the model again, or from another source</translation>
    </message>
    <message>
        <source>Earlier chats can't be read</source>
        <translation>Earlier chats can't be read</translation>
    </message>
    <message>
        <source>Expert %1 of layer %2 differs from the model's</source>
        <translation>Expert %1 of layer %2 differs from the model's</translation>
    </message>
    <message>
        <source>Expert %1 of layer %2 does not exist</source>
        <translation>Expert %1 of layer %2 does not exist</translation>
    </message>
    <message>
        <source>Expert %1 of layer %2 is used twice</source>
        <translation>Expert %1 of layer %2 is used twice</translation>
    </message>
    <message>
        <source>Experts were requested by a pass that has ended</source>
        <translation>Experts were requested by a pass that has ended</translation>
    </message>
    <message>
        <source>Free some space and try again</source>
        <translation>Free some space and try again</translation>
    </message>
    <message>
        <source>Free some space on it and try again</source>
        <translation>Free some space on it and try again</translation>
    </message>
    <message>
        <source>Get the file again from its source</source>
        <translation>Get the file again from its source</translation>
    </message>
    <message>
        <source>Get the file again from its source, or choose another file of this model</source>
        <translation>Get the file again from its source, or choose another file of this model</translation>
    </message>
    <message>
        <source>Get the file again, or another file of this model</source>
        <translation>Get the file again, or another file of this model</translation>
    </message>
    <message>
        <source>Give 0 or more</source>
        <translation>Give 0 or more</translation>
    </message>
    <message>
        <source>Give 0 or more, or -1 for no limit</source>
        <translation>Give 0 or more, or -1 for no limit</translation>
    </message>
    <message>
        <source>Give 1 to %1, or 0 for the system's number</source>
        <translation>Give 1 to %1, or 0 for the system's number</translation>
    </message>
    <message>
        <source>Give a number from 0, which is exact, to 1</source>
        <translation>Give a number from 0, which is exact, to 1</translation>
    </message>
    <message>
        <source>Give a number of tokens, or 0 for automatic</source>
        <translation>Give a number of tokens, or 0 for automatic</translation>
    </message>
    <message>
        <source>Give an array of functions, each with a name, a description and parameters</source>
        <translation>Give an array of functions, each with a name, a description and parameters</translation>
    </message>
    <message>
        <source>Give an object of names and values</source>
        <translation>Give an object of names and values</translation>
    </message>
    <message>
        <source>Give it a larger budget</source>
        <translation>Give it a larger budget</translation>
    </message>
    <message>
        <source>Give the path of a file</source>
        <translation>Give the path of a file</translation>
    </message>
    <message>
        <source>Give the path of an ordinary file</source>
        <translation>Give the path of an ordinary file</translation>
    </message>
    <message>
        <source>Go on: the answer itself is kept</source>
        <translation>Go on: the answer itself is kept</translation>
    </message>
    <message>
        <source>Install the newer version. The file was not changed</source>
        <translation>Install the newer version. The file was not changed</translation>
    </message>
    <message>
        <source>It claims %1 keys, more than it can hold</source>
        <translation>It claims %1 keys, more than it can hold</translation>
    </message>
    <message>
        <source>It claims %1 tensors, more than it can hold</source>
        <translation>It claims %1 tensors, more than it can hold</translation>
    </message>
    <message>
        <source>It differs from attention.key_length, which no family here allows</source>
        <translation>It differs from attention.key_length, which no family here allows</translation>
    </message>
    <message>
        <source>It does not begin as a trace does</source>
        <translation>It does not begin as a trace does</translation>
    </message>
    <message>
        <source>It doesn't know what the tensor '%1' is for, and leaving it out would give wrong answers</source>
        <translation>It doesn't know what the tensor '%1' is for, and leaving it out would give wrong answers</translation>
    </message>
    <message>
        <source>It doesn't say which of the model's files it is</source>
        <translation>It doesn't say which of the model's files it is</translation>
    </message>
    <message>
        <source>It ends inside %1, at byte %2</source>
        <translation>It ends inside %1, at byte %2</translation>
    </message>
    <message>
        <source>It has %1 bytes, and at most %2 make sense here</source>
        <translation>It has %1 bytes, and at most %2 make sense here</translation>
    </message>
    <message>
        <source>It has %1 rows</source>
        <translation>It has %1 rows</translation>
    </message>
    <message>
        <source>It has %1 tokens, %2 more than the %3 that the context holds</source>
        <translation>It has %1 tokens, %2 more than the %3 that the context holds</translation>
    </message>
    <message>
        <source>It has %1 tokens, and the embedding has %2 rows</source>
        <translation>It has %1 tokens, and the embedding has %2 rows</translation>
    </message>
    <message>
        <source>It has %1 tokens, but the scores of %2</source>
        <translation>It has %1 tokens, but the scores of %2</translation>
    </message>
    <message>
        <source>It has %1 tokens, but the types of %2</source>
        <translation>It has %1 tokens, but the types of %2</translation>
    </message>
    <message>
        <source>It has %1, and weights take %2, the KV cache %3 at a context of %4 tokens, the rest %5</source>
        <translation>It has %1, and weights take %2, the KV cache %3 at a context of %4 tokens, the rest %5</translation>
    </message>
    <message>
        <source>It has more merges than any vocabulary</source>
        <translation>It has more merges than any vocabulary</translation>
    </message>
    <message>
        <source>It has more tokens than any vocabulary</source>
        <translation>It has more tokens than any vocabulary</translation>
    </message>
    <message>
        <source>It has no name</source>
        <translation>It has no name</translation>
    </message>
    <message>
        <source>It holds divisors that are not above 0</source>
        <translation>It holds divisors that are not above 0</translation>
    </message>
    <message>
        <source>It is %1</source>
        <translation>It is %1</translation>
    </message>
    <message>
        <source>It is %1, and should be from %2 to %3</source>
        <translation>It is %1, and should be from %2 to %3</translation>
    </message>
    <message>
        <source>It is %1, and the metadata ask for %2</source>
        <translation>It is %1, and the metadata ask for %2</translation>
    </message>
    <message>
        <source>It is %1, which can't be right</source>
        <translation>It is %1, which can't be right</translation>
    </message>
    <message>
        <source>It is a Git LFS pointer, a few lines that stand for the real file</source>
        <translation>It is a Git LFS pointer, a few lines that stand for the real file</translation>
    </message>
    <message>
        <source>It is a device or a pipe, not a file</source>
        <translation>It is a device or a pipe, not a file</translation>
    </message>
    <message>
        <source>It is a folder</source>
        <translation>It is a folder</translation>
    </message>
    <message>
        <source>It is big-endian, made for another kind of processor</source>
        <translation>It is big-endian, made for another kind of processor</translation>
    </message>
    <message>
        <source>It is f16 (exact) or q8_0 (half the memory)</source>
        <translation>It is f16 (exact) or q8_0 (half the memory)</translation>
    </message>
    <message>
        <source>It is file %1 of %2, and its name says something else</source>
        <translation>It is file %1 of %2, and its name says something else</translation>
    </message>
    <message>
        <source>It is larger than any memory</source>
        <translation>It is larger than any memory</translation>
    </message>
    <message>
        <source>It is missing: the model has %1 files</source>
        <translation>It is missing: the model has %1 files</translation>
    </message>
    <message>
        <source>It is more than %1 times the %2 that the model was trained for</source>
        <translation>It is more than %1 times the %2 that the model was trained for</translation>
    </message>
    <message>
        <source>It is negative</source>
        <translation>It is negative</translation>
    </message>
    <message>
        <source>It is not JSON</source>
        <translation>It is not JSON</translation>
    </message>
    <message>
        <source>It is not a JSON array</source>
        <translation>It is not a JSON array</translation>
    </message>
    <message>
        <source>It is not a JSON object</source>
        <translation>It is not a JSON object</translation>
    </message>
    <message>
        <source>It is not above 1, and YaRN needs pairs of different speeds</source>
        <translation>It is not above 1, and YaRN needs pairs of different speeds</translation>
    </message>
    <message>
        <source>It is not as long as its header says</source>
        <translation>It is not as long as its header says</translation>
    </message>
    <message>
        <source>It is not needed any more</source>
        <translation>It is not needed any more</translation>
    </message>
    <message>
        <source>It is not there any more</source>
        <translation>It is not there any more</translation>
    </message>
    <message>
        <source>It is of version %1, and this program knows version %2</source>
        <translation>It is of version %1, and this program knows version %2</translation>
    </message>
    <message>
        <source>It is one of several files of a model, and its name doesn't say which one</source>
        <translation>It is one of several files of a model, and its name doesn't say which one</translation>
    </message>
    <message>
        <source>It is too long</source>
        <translation>It is too long</translation>
    </message>
    <message>
        <source>It knows %1</source>
        <translation>It knows %1</translation>
    </message>
    <message>
        <source>It knows %1, and none of them has the file's %2</source>
        <translation>It knows %1, and none of them has the file's %2</translation>
    </message>
    <message>
        <source>It knows %1, and none of them has the file's %2 and %3 more kinds of weights</source>
        <translation>It knows %1, and none of them has the file's %2 and %3 more kinds of weights</translation>
    </message>
    <message>
        <source>It must be 0 (off) or more</source>
        <translation>It must be 0 (off) or more</translation>
    </message>
    <message>
        <source>It must be between %1 and %2</source>
        <translation>It must be between %1 and %2</translation>
    </message>
    <message>
        <source>It must be between %1 and %2 tokens</source>
        <translation>It must be between %1 and %2 tokens</translation>
    </message>
    <message>
        <source>It names %1 layers, and the file has %2 tensors</source>
        <translation>It names %1 layers, and the file has %2 tensors</translation>
    </message>
    <message>
        <source>It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, experts %5, the rest %6</source>
        <translation>It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, experts %5, the rest %6</translation>
    </message>
    <message>
        <source>It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, layers %5, the rest %6</source>
        <translation>It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, layers %5, the rest %6</translation>
    </message>
    <message>
        <source>It needs at least one slot and one expert</source>
        <translation>It needs at least one slot and one expert</translation>
    </message>
    <message>
        <source>It reached a limit in line %1: %2</source>
        <translation>It reached a limit in line %1: %2</translation>
    </message>
    <message>
        <source>It should be a number</source>
        <translation>It should be a number</translation>
    </message>
    <message>
        <source>It should be one whole number from %1 to %2</source>
        <translation>It should be one whole number from %1 to %2</translation>
    </message>
    <message>
        <source>It should be text</source>
        <translation>It should be text</translation>
    </message>
    <message>
        <source>It should be true or false</source>
        <translation>It should be true or false</translation>
    </message>
    <message>
        <source>It takes %1, and the disk has room for %2</source>
        <translation>It takes %1, and the disk has room for %2</translation>
    </message>
    <message>
        <source>It was already finished</source>
        <translation>It was already finished</translation>
    </message>
    <message>
        <source>It was changed while it was being opened</source>
        <translation>It was changed while it was being opened</translation>
    </message>
    <message>
        <source>It was closed before the answer began</source>
        <translation>It was closed before the answer began</translation>
    </message>
    <message>
        <source>It was kept as %1, and new chats go into a new file</source>
        <translation>It was kept as %1, and new chats go into a new file</translation>
    </message>
    <message>
        <source>It was said to hold all of them</source>
        <translation>It was said to hold all of them</translation>
    </message>
    <message>
        <source>It would have %1 tokens, and the context holds %2</source>
        <translation>It would have %1 tokens, and the context holds %2</translation>
    </message>
    <message>
        <source>Its %1 values don't make a whole rank for a width of %2 and %3 tokens</source>
        <translation>Its %1 values don't make a whole rank for a width of %2 and %3 tokens</translation>
    </message>
    <message>
        <source>Its bytes are damaged</source>
        <translation>Its bytes are damaged</translation>
    </message>
    <message>
        <source>Its header is longer than %1, more than any model needs</source>
        <translation>Its header is longer than %1, more than any model needs</translation>
    </message>
    <message>
        <source>Its heads have %1 values, which is not a multiple of %2</source>
        <translation>Its heads have %1 values, which is not a multiple of %2</translation>
    </message>
    <message>
        <source>Its id is %1, and the model knows 0 to %2</source>
        <translation>Its id is %1, and the model knows 0 to %2</translation>
    </message>
    <message>
        <source>Its merges are larger than any vocabulary's</source>
        <translation>Its merges are larger than any vocabulary's</translation>
    </message>
    <message>
        <source>Its positions are not those of an answer</source>
        <translation>Its positions are not those of an answer</translation>
    </message>
    <message>
        <source>Its pre-tokenizer "%1" is not one that this program knows</source>
        <translation>Its pre-tokenizer "%1" is not one that this program knows</translation>
    </message>
    <message>
        <source>Its slots are larger than any memory</source>
        <translation>Its slots are larger than any memory</translation>
    </message>
    <message>
        <source>Its tensor '%1' is in an earlier file too</source>
        <translation>Its tensor '%1' is in an earlier file too</translation>
    </message>
    <message>
        <source>Its texts are larger than any vocabulary's</source>
        <translation>Its texts are larger than any vocabulary's</translation>
    </message>
    <message>
        <source>Its tokenizer "%1" is not one that this program knows (gpt2, llama)</source>
        <translation>Its tokenizer "%1" is not one that this program knows (gpt2, llama)</translation>
    </message>
    <message>
        <source>Its version is %1</source>
        <translation>Its version is %1</translation>
    </message>
    <message>
        <source>Key number %1 has no name</source>
        <translation>Key number %1 has no name</translation>
    </message>
    <message>
        <source>Leave it out, or write the text that ends an answer</source>
        <translation>Leave it out, or write the text that ends an answer</translation>
    </message>
    <message>
        <source>Let the model answer first</source>
        <translation>Let the model answer first</translation>
    </message>
    <message>
        <source>Make room on that disk</source>
        <translation>Make room on that disk</translation>
    </message>
    <message>
        <source>Make sure that nothing replaces or deletes it, then open it again</source>
        <translation>Make sure that nothing replaces or deletes it, then open it again</translation>
    </message>
    <message>
        <source>Merge %1 is not two texts with a space between them</source>
        <translation>Merge %1 is not two texts with a space between them</translation>
    </message>
    <message>
        <source>More bytes are needed</source>
        <translation>More bytes are needed</translation>
    </message>
    <message>
        <source>More bytes follow after the last token</source>
        <translation>More bytes follow after the last token</translation>
    </message>
    <message>
        <source>Move it away and start again</source>
        <translation>Move it away and start again</translation>
    </message>
    <message>
        <source>Move it to a folder with a shorter path</source>
        <translation>Move it to a folder with a shorter path</translation>
    </message>
    <message>
        <source>Name a folder</source>
        <translation>Name a folder</translation>
    </message>
    <message>
        <source>New messages can't be kept</source>
        <translation>New messages can't be kept</translation>
    </message>
    <message>
        <source>No budget can be compared</source>
        <translation>No budget can be compared</translation>
    </message>
    <message>
        <source>No context is as long</source>
        <translation>No context is as long</translation>
    </message>
    <message>
        <source>No layer uses %1 experts for a token</source>
        <translation>No layer uses %1 experts for a token</translation>
    </message>
    <message>
        <source>No model has a layer %1</source>
        <translation>No model has a layer %1</translation>
    </message>
    <message>
        <source>No model has so many experts</source>
        <translation>No model has so many experts</translation>
    </message>
    <message>
        <source>No model is of its shape</source>
        <translation>No model is of its shape</translation>
    </message>
    <message>
        <source>No model is of this shape</source>
        <translation>No model is of this shape</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>No program wrote such a version</source>
        <translation>No program wrote such a version</translation>
    </message>
    <message>
        <source>No token has a probability: its numbers are not finite</source>
        <translation>No token has a probability: its numbers are not finite</translation>
    </message>
    <message>
        <source>No token of it uses an expert</source>
        <translation>No token of it uses an expert</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nothing</translation>
    </message>
    <message>
        <source>Old chats were not erased from the bin</source>
        <translation>Old chats were not erased from the bin</translation>
    </message>
    <message>
        <source>Open a model and send again</source>
        <translation>Open a model and send again</translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation>Open it again</translation>
    </message>
    <message>
        <source>Open the model again</source>
        <translation>Open the model again</translation>
    </message>
    <message>
        <source>Opening the model was stopped</source>
        <translation>Opening the model was stopped</translation>
    </message>
    <message>
        <source>Pack the model again</source>
        <translation>Pack the model again</translation>
    </message>
    <message>
        <source>Please report this</source>
        <translation>Please report this</translation>
    </message>
    <message>
        <source>Put all files of the model into one folder, with the names that they came with</source>
        <translation>Put all files of the model into one folder, with the names that they came with</translation>
    </message>
    <message>
        <source>Read more</source>
        <translation>Read more</translation>
    </message>
    <message>
        <source>Record a model that has experts</source>
        <translation>Record a model that has experts</translation>
    </message>
    <message>
        <source>Record it again</source>
        <translation>Record it again</translation>
    </message>
    <message>
        <source>Records of answers were not removed</source>
        <translation>Records of answers were not removed</translation>
    </message>
    <message>
        <source>Rename the file</source>
        <translation>Rename the file</translation>
    </message>
    <message>
        <source>Report this as a bug</source>
        <translation>Report this as a bug</translation>
    </message>
    <message>
        <source>Restore the file chats.db from a copy, or move it away</source>
        <translation>Restore the file chats.db from a copy, or move it away</translation>
    </message>
    <message>
        <source>Shorten it or start a new chat</source>
        <translation>Shorten it or start a new chat</translation>
    </message>
    <message>
        <source>Shorten it or start a new chat, or open the model with a longer context (it was trained for %1)</source>
        <translation>Shorten it or start a new chat, or open the model with a longer context (it was trained for %1)</translation>
    </message>
    <message>
        <source>So many experts would have %1 neurons together</source>
        <translation>So many experts would have %1 neurons together</translation>
    </message>
    <message>
        <source>Start Coterie again, and report it if it happens again</source>
        <translation>Start Coterie again, and report it if it happens again</translation>
    </message>
    <message>
        <source>Start Coterie again: it keeps the damaged file aside and begins a new one</source>
        <translation>Start Coterie again: it keeps the damaged file aside and begins a new one</translation>
    </message>
    <message>
        <source>Start a new chat, or choose a longer context</source>
        <translation>Start a new chat, or choose a longer context</translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation>Start it again</translation>
    </message>
    <message>
        <source>Start it again if it is still needed</source>
        <translation>Start it again if it is still needed</translation>
    </message>
    <message>
        <source>Tensor number %1 has no name</source>
        <translation>Tensor number %1 has no name</translation>
    </message>
    <message>
        <source>The answer is not saved yet</source>
        <translation>The answer is not saved yet</translation>
    </message>
    <message>
        <source>The answer was not begun</source>
        <translation>The answer was not begun</translation>
    </message>
    <message>
        <source>The answer was stopped</source>
        <translation>The answer was stopped</translation>
    </message>
    <message>
        <source>The attached file can't be read</source>
        <translation>The attached file can't be read</translation>
    </message>
    <message>
        <source>The byte token %1 is not written as &lt;0xNN&gt;</source>
        <translation>The byte token %1 is not written as &lt;0xNN&gt;</translation>
    </message>
    <message>
        <source>The chat is not there, or in the bin</source>
        <translation>The chat is not there, or in the bin</translation>
    </message>
    <message>
        <source>The chat template cannot be read</source>
        <translation>The chat template cannot be read</translation>
    </message>
    <message>
        <source>The chat template could not be used</source>
        <translation>The chat template could not be used</translation>
    </message>
    <message>
        <source>The chat template failed</source>
        <translation>The chat template failed</translation>
    </message>
    <message>
        <source>The chat template refuses this conversation</source>
        <translation>The chat template refuses this conversation</translation>
    </message>
    <message>
        <source>The chat template was stopped</source>
        <translation>The chat template was stopped</translation>
    </message>
    <message>
        <source>The chat was not changed</source>
        <translation>The chat was not changed</translation>
    </message>
    <message>
        <source>The chat was not deleted</source>
        <translation>The chat was not deleted</translation>
    </message>
    <message>
        <source>The chat was not erased</source>
        <translation>The chat was not erased</translation>
    </message>
    <message>
        <source>The chat was not moved</source>
        <translation>The chat was not moved</translation>
    </message>
    <message>
        <source>The chat was not renamed</source>
        <translation>The chat was not renamed</translation>
    </message>
    <message>
        <source>The chat was not taken back</source>
        <translation>The chat was not taken back</translation>
    </message>
    <message>
        <source>The chats can't be opened</source>
        <translation>The chats can't be opened</translation>
    </message>
    <message>
        <source>The chats can't be read</source>
        <translation>The chats can't be read</translation>
    </message>
    <message>
        <source>The context is out of range</source>
        <translation>The context is out of range</translation>
    </message>
    <message>
        <source>The context of %1 tokens is beyond the %2 that the model was trained for, but nothing is scaled, because no layer that rotates looks back further than its window</source>
        <translation>The context of %1 tokens is beyond the %2 that the model was trained for, but nothing is scaled, because no layer that rotates looks back further than its window</translation>
    </message>
    <message>
        <source>The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the rotation by %3 over %4 tokens, and answers may be worse</source>
        <translation>The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the rotation by %3 over %4 tokens, and answers may be worse</translation>
    </message>
    <message>
        <source>The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the rotation by %3 over %4 tokens, in addition to the file's own factor of %5, and answers may be worse</source>
        <translation>The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the rotation by %3 over %4 tokens, in addition to the file's own factor of %5, and answers may be worse</translation>
    </message>
    <message>
        <source>The conversation doesn't fit into the context</source>
        <translation>The conversation doesn't fit into the context</translation>
    </message>
    <message>
        <source>The conversation is too long for the context</source>
        <translation>The conversation is too long for the context</translation>
    </message>
    <message>
        <source>The database says: %1</source>
        <translation>The database says: %1</translation>
    </message>
    <message>
        <source>The device %1 can't be used</source>
        <translation>The device %1 can't be used</translation>
    </message>
    <message>
        <source>The device %1 chooses experts exactly, so approximate routing has no effect</source>
        <translation>The device %1 chooses experts exactly, so approximate routing has no effect</translation>
    </message>
    <message>
        <source>The device %1 computes all rows of the head for each token</source>
        <translation>The device %1 computes all rows of the head for each token</translation>
    </message>
    <message>
        <source>The device %1 doesn't report what experts do, so there is no trace</source>
        <translation>The device %1 doesn't report what experts do, so there is no trace</translation>
    </message>
    <message>
        <source>The device %1 rounds differently from the processor, so the same seed may give another text when experts are in other places</source>
        <translation>The device %1 rounds differently from the processor, so the same seed may give another text when experts are in other places</translation>
    </message>
    <message>
        <source>The device %1 was lost, and the device %2 continues in its place</source>
        <translation>The device %1 was lost, and the device %2 continues in its place</translation>
    </message>
    <message>
        <source>The device asks for experts</source>
        <translation>The device asks for experts</translation>
    </message>
    <message>
        <source>The disk can only be read</source>
        <translation>The disk can only be read</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>The disk is full</translation>
    </message>
    <message>
        <source>The disk with the folder %1 is full</source>
        <translation>The disk with the folder %1 is full</translation>
    </message>
    <message>
        <source>The disk with the folder %1 refuses to read or write</source>
        <translation>The disk with the folder %1 refuses to read or write</translation>
    </message>
    <message>
        <source>The elements of %1 have the unknown type %2</source>
        <translation>The elements of %1 have the unknown type %2</translation>
    </message>
    <message>
        <source>The engine could not go on</source>
        <translation>The engine could not go on</translation>
    </message>
    <message>
        <source>The expert store was misused</source>
        <translation>The expert store was misused</translation>
    </message>
    <message>
        <source>The experts in %1 do not fit in a slot</source>
        <translation>The experts in %1 do not fit in a slot</translation>
    </message>
    <message>
        <source>The experts in %1 reach beyond its end</source>
        <translation>The experts in %1 reach beyond its end</translation>
    </message>
    <message>
        <source>The experts' down matrices are square, and are taken as stored by neuron</source>
        <translation>The experts' down matrices are square, and are taken as stored by neuron</translation>
    </message>
    <message>
        <source>The experts' down matrices are square, and are taken as stored by row</source>
        <translation>The experts' down matrices are square, and are taken as stored by row</translation>
    </message>
    <message>
        <source>The file %1 has %2</source>
        <translation>The file %1 has %2</translation>
    </message>
    <message>
        <source>The file %1 is damaged and can't be renamed</source>
        <translation>The file %1 is damaged and can't be renamed</translation>
    </message>
    <message>
        <source>The file does not hold a whole model</source>
        <translation>The file does not hold a whole model</translation>
    </message>
    <message>
        <source>The file doesn't say how experts are weighted, so sigmoid is assumed, as in the published checkpoints</source>
        <translation>The file doesn't say how experts are weighted, so sigmoid is assumed, as in the published checkpoints</translation>
    </message>
    <message>
        <source>The file doesn't say how text becomes tokens: tokenizer.ggml.model is missing</source>
        <translation>The file doesn't say how text becomes tokens: tokenizer.ggml.model is missing</translation>
    </message>
    <message>
        <source>The file doesn't say which kind of model it holds</source>
        <translation>The file doesn't say which kind of model it holds</translation>
    </message>
    <message>
        <source>The file has no chat template, so the model continues the text of the conversation</source>
        <translation>The file has no chat template, so the model continues the text of the conversation</translation>
    </message>
    <message>
        <source>The file has no chat template, so turns are marked as in ChatML, whose tokens the vocabulary has</source>
        <translation>The file has no chat template, so turns are marked as in ChatML, whose tokens the vocabulary has</translation>
    </message>
    <message>
        <source>The file is damaged</source>
        <translation>The file is damaged</translation>
    </message>
    <message>
        <source>The file is shorter than it was when it was opened</source>
        <translation>The file is shorter than it was when it was opened</translation>
    </message>
    <message>
        <source>The file of chats is damaged</source>
        <translation>The file of chats is damaged</translation>
    </message>
    <message>
        <source>The file's chat template can't be used (%1), so the model continues the text of the conversation</source>
        <translation>The file's chat template can't be used (%1), so the model continues the text of the conversation</translation>
    </message>
    <message>
        <source>The file's chat template can't be used (%1), so turns are marked as in ChatML, whose tokens the vocabulary has</source>
        <translation>The file's chat template can't be used (%1), so turns are marked as in ChatML, whose tokens the vocabulary has</translation>
    </message>
    <message>
        <source>The file's last %1 layers only draft tokens ahead (nextn_predict_layers) and are not used</source>
        <translation>The file's last %1 layers only draft tokens ahead (nextn_predict_layers) and are not used</translation>
    </message>
    <message>
        <source>The file's metadata are incomplete</source>
        <translation>The file's metadata are incomplete</translation>
    </message>
    <message>
        <source>The file's own divisors of the rotation (rope_freqs.weight) are used as well, unchanged</source>
        <translation>The file's own divisors of the rotation (rope_freqs.weight) are used as well, unchanged</translation>
    </message>
    <message>
        <source>The files hold %1 tensors together, and the model has %2</source>
        <translation>The files hold %1 tensors together, and the model has %2</translation>
    </message>
    <message>
        <source>The folder %1 can't be written</source>
        <translation>The folder %1 can't be written</translation>
    </message>
    <message>
        <source>The folder is not there</source>
        <translation>The folder is not there</translation>
    </message>
    <message>
        <source>The folder was not changed</source>
        <translation>The folder was not changed</translation>
    </message>
    <message>
        <source>The folders can't be read</source>
        <translation>The folders can't be read</translation>
    </message>
    <message>
        <source>The head predictor is not used, because its rows of %1 values are not whole blocks of its format</source>
        <translation>The head predictor is not used, because its rows of %1 values are not whole blocks of its format</translation>
    </message>
    <message>
        <source>The header is longer than what was read</source>
        <translation>The header is longer than what was read</translation>
    </message>
    <message>
        <source>The kernels '%1' can't run</source>
        <translation>The kernels '%1' can't run</translation>
    </message>
    <message>
        <source>The key %1 is there twice</source>
        <translation>The key %1 is there twice</translation>
    </message>
    <message>
        <source>The key '%1' asks for something that is not in this program: %2</source>
        <translation>The key '%1' asks for something that is not in this program: %2</translation>
    </message>
    <message>
        <source>The key '%1' is missing</source>
        <translation>The key '%1' is missing</translation>
    </message>
    <message>
        <source>The key '%1' is wrong</source>
        <translation>The key '%1' is wrong</translation>
    </message>
    <message>
        <source>The key general.architecture is missing or is not text</source>
        <translation>The key general.architecture is missing or is not text</translation>
    </message>
    <message>
        <source>The largest number of tokens is out of range</source>
        <translation>The largest number of tokens is out of range</translation>
    </message>
    <message>
        <source>The length of %1 is %2 bytes, more than %3, at byte %4</source>
        <translation>The length of %1 is %2 bytes, more than %3, at byte %4</translation>
    </message>
    <message>
        <source>The message is not there, or was deleted</source>
        <translation>The message is not there, or was deleted</translation>
    </message>
    <message>
        <source>The message was not deleted</source>
        <translation>The message was not deleted</translation>
    </message>
    <message>
        <source>The message was not erased</source>
        <translation>The message was not erased</translation>
    </message>
    <message>
        <source>The message was not kept</source>
        <translation>The message was not kept</translation>
    </message>
    <message>
        <source>The message was not taken back</source>
        <translation>The message was not taken back</translation>
    </message>
    <message>
        <source>The model can't be loaded</source>
        <translation>The model can't be loaded</translation>
    </message>
    <message>
        <source>The model can't be prepared</source>
        <translation>The model can't be prepared</translation>
    </message>
    <message>
        <source>The model can't go on</source>
        <translation>The model can't go on</translation>
    </message>
    <message>
        <source>The model doesn't fit into %1 of memory</source>
        <translation>The model doesn't fit into %1 of memory</translation>
    </message>
    <message>
        <source>The model doesn't fit into the memory of the device %1</source>
        <translation>The model doesn't fit into the memory of the device %1</translation>
    </message>
    <message>
        <source>The model has no experts, and its layers are read in large pieces as they are</source>
        <translation>The model has no experts, and its layers are read in large pieces as they are</translation>
    </message>
    <message>
        <source>The model is not loaded</source>
        <translation>The model is not loaded</translation>
    </message>
    <message>
        <source>The model's output can't be used</source>
        <translation>The model's output can't be used</translation>
    </message>
    <message>
        <source>The model's rotation is right for %1</source>
        <translation>The model's rotation is right for %1</translation>
    </message>
    <message>
        <source>The model's vocabulary can't be used</source>
        <translation>The model's vocabulary can't be used</translation>
    </message>
    <message>
        <source>The number of alternatives is out of range</source>
        <translation>The number of alternatives is out of range</translation>
    </message>
    <message>
        <source>The number of threads is out of range</source>
        <translation>The number of threads is out of range</translation>
    </message>
    <message>
        <source>The option %1 can't be used</source>
        <translation>The option %1 can't be used</translation>
    </message>
    <message>
        <source>The other version can't be shown</source>
        <translation>The other version can't be shown</translation>
    </message>
    <message>
        <source>The packed experts in %1 can't be used</source>
        <translation>The packed experts in %1 can't be used</translation>
    </message>
    <message>
        <source>The packed experts were not all read</source>
        <translation>The packed experts were not all read</translation>
    </message>
    <message>
        <source>The path is not valid text</source>
        <translation>The path is not valid text</translation>
    </message>
    <message>
        <source>The path is too long for this system</source>
        <translation>The path is too long for this system</translation>
    </message>
    <message>
        <source>The processor</source>
        <translation>The processor</translation>
    </message>
    <message>
        <source>The prompt has no tokens</source>
        <translation>The prompt has no tokens</translation>
    </message>
    <message>
        <source>The record of an answer can't be read</source>
        <translation>The record of an answer can't be read</translation>
    </message>
    <message>
        <source>The record of an answer was not kept</source>
        <translation>The record of an answer was not kept</translation>
    </message>
    <message>
        <source>The record of token %1 holds what no layer can do</source>
        <translation>The record of token %1 holds what no layer can do</translation>
    </message>
    <message>
        <source>The sampling option %1 is out of range</source>
        <translation>The sampling option %1 is out of range</translation>
    </message>
    <message>
        <source>The sliding window is 0, which is taken to mean that there is none</source>
        <translation>The sliding window is 0, which is taken to mean that there is none</translation>
    </message>
    <message>
        <source>The special token %1 is longer than any may be</source>
        <translation>The special token %1 is longer than any may be</translation>
    </message>
    <message>
        <source>The stored tokens of an answer can't be read</source>
        <translation>The stored tokens of an answer can't be read</translation>
    </message>
    <message>
        <source>The system does not name one</source>
        <translation>The system does not name one</translation>
    </message>
    <message>
        <source>The system does not permit it</source>
        <translation>The system does not permit it</translation>
    </message>
    <message>
        <source>The system gives no thread to read it with</source>
        <translation>The system gives no thread to read it with</translation>
    </message>
    <message>
        <source>The system has no memory left</source>
        <translation>The system has no memory left</translation>
    </message>
    <message>
        <source>The system refused %1</source>
        <translation>The system refused %1</translation>
    </message>
    <message>
        <source>The system refused a thread</source>
        <translation>The system refused a thread</translation>
    </message>
    <message>
        <source>The tensor %1 doesn't start at a multiple of %2</source>
        <translation>The tensor %1 doesn't start at a multiple of %2</translation>
    </message>
    <message>
        <source>The tensor %1 has %2 dimensions</source>
        <translation>The tensor %1 has %2 dimensions</translation>
    </message>
    <message>
        <source>The tensor %1 is larger than any file</source>
        <translation>The tensor %1 is larger than any file</translation>
    </message>
    <message>
        <source>The tensor %1 is there twice</source>
        <translation>The tensor %1 is there twice</translation>
    </message>
    <message>
        <source>The tensor %1 reaches beyond the end of the file, which was not copied whole</source>
        <translation>The tensor %1 reaches beyond the end of the file, which was not copied whole</translation>
    </message>
    <message>
        <source>The tensor '%1' has the wrong shape</source>
        <translation>The tensor '%1' has the wrong shape</translation>
    </message>
    <message>
        <source>The tensor '%1' is missing</source>
        <translation>The tensor '%1' is missing</translation>
    </message>
    <message>
        <source>The tensor '%1' is stored in it</source>
        <translation>The tensor '%1' is stored in it</translation>
    </message>
    <message>
        <source>The tensor 'lm_head_profiler.weight' has the wrong shape</source>
        <translation>The tensor 'lm_head_profiler.weight' has the wrong shape</translation>
    </message>
    <message>
        <source>The tensor 'rope_freqs.weight' is wrong</source>
        <translation>The tensor 'rope_freqs.weight' is wrong</translation>
    </message>
    <message>
        <source>The tensor 'token_embd.weight' is too large</source>
        <translation>The tensor 'token_embd.weight' is too large</translation>
    </message>
    <message>
        <source>The tensors %1 and %2 overlap</source>
        <translation>The tensors %1 and %2 overlap</translation>
    </message>
    <message>
        <source>The text is too long to be kept</source>
        <translation>The text is too long to be kept</translation>
    </message>
    <message>
        <source>The trace can't be replayed</source>
        <translation>The trace can't be replayed</translation>
    </message>
    <message>
        <source>The trace has no tokens</source>
        <translation>The trace has no tokens</translation>
    </message>
    <message>
        <source>The unsent text was not kept</source>
        <translation>The unsent text was not kept</translation>
    </message>
    <message>
        <source>The user asked for it</source>
        <translation>The user asked for it</translation>
    </message>
    <message>
        <source>The user stopped it</source>
        <translation>The user stopped it</translation>
    </message>
    <message>
        <source>The value of %1 claims %2 elements, more than the file can hold</source>
        <translation>The value of %1 claims %2 elements, more than the file can hold</translation>
    </message>
    <message>
        <source>The value of %1 has the unknown type %2</source>
        <translation>The value of %1 has the unknown type %2</translation>
    </message>
    <message>
        <source>The value of %1 is an array of arrays</source>
        <translation>The value of %1 is an array of arrays</translation>
    </message>
    <message>
        <source>The value of %1 is neither true nor false</source>
        <translation>The value of %1 is neither true nor false</translation>
    </message>
    <message>
        <source>The vocabulary does not fit the model</source>
        <translation>The vocabulary does not fit the model</translation>
    </message>
    <message>
        <source>The vocabulary has %1</source>
        <translation>The vocabulary has %1</translation>
    </message>
    <message>
        <source>The work was stopped</source>
        <translation>The work was stopped</translation>
    </message>
    <message>
        <source>Their file is damaged (%1)</source>
        <translation>Their file is damaged (%1)</translation>
    </message>
    <message>
        <source>There are no kernels called '%1'</source>
        <translation>There are no kernels called '%1'</translation>
    </message>
    <message>
        <source>There is no KV cache called '%1'</source>
        <translation>There is no KV cache called '%1'</translation>
    </message>
    <message>
        <source>There is no device called '%1'</source>
        <translation>There is no device called '%1'</translation>
    </message>
    <message>
        <source>There is no expert %1</source>
        <translation>There is no expert %1</translation>
    </message>
    <message>
        <source>There is no folder for packed files</source>
        <translation>There is no folder for packed files</translation>
    </message>
    <message>
        <source>There is no memory for measuring the disk</source>
        <translation>There is no memory for measuring the disk</translation>
    </message>
    <message>
        <source>There is no memory for one expert</source>
        <translation>There is no memory for one expert</translation>
    </message>
    <message>
        <source>There is no memory for one packed expert</source>
        <translation>There is no memory for one packed expert</translation>
    </message>
    <message>
        <source>There is no memory for regrouping weights</source>
        <translation>There is no memory for regrouping weights</translation>
    </message>
    <message>
        <source>There is no memory for the KV cache</source>
        <translation>There is no memory for the KV cache</translation>
    </message>
    <message>
        <source>There is no memory for the activations</source>
        <translation>There is no memory for the activations</translation>
    </message>
    <message>
        <source>There is no memory for the expert slots</source>
        <translation>There is no memory for the expert slots</translation>
    </message>
    <message>
        <source>There is no memory for the head's sketch</source>
        <translation>There is no memory for the head's sketch</translation>
    </message>
    <message>
        <source>There is no memory for the header of packed experts</source>
        <translation>There is no memory for the header of packed experts</translation>
    </message>
    <message>
        <source>There is no memory for the model's resident weights</source>
        <translation>There is no memory for the model's resident weights</translation>
    </message>
    <message>
        <source>There is no memory for the trace</source>
        <translation>There is no memory for the trace</translation>
    </message>
    <message>
        <source>There is no such file or folder</source>
        <translation>There is no such file or folder</translation>
    </message>
    <message>
        <source>There is no token %1</source>
        <translation>There is no token %1</translation>
    </message>
    <message>
        <source>There is nothing to continue</source>
        <translation>There is nothing to continue</translation>
    </message>
    <message>
        <source>They are fewer than their header says</source>
        <translation>They are fewer than their header says</translation>
    </message>
    <message>
        <source>They are of version %1, and this program knows version %2</source>
        <translation>They are of version %1, and this program knows version %2</translation>
    </message>
    <message>
        <source>They do not begin as stored tokens do</source>
        <translation>They do not begin as stored tokens do</translation>
    </message>
    <message>
        <source>They were made from another model, or by another version of this program</source>
        <translation>They were made from another model, or by another version of this program</translation>
    </message>
    <message>
        <source>They were written by a newer version of Coterie (format %1)</source>
        <translation>They were written by a newer version of Coterie (format %1)</translation>
    </message>
    <message>
        <source>This GGUF file can't be read</source>
        <translation>This GGUF file can't be read</translation>
    </message>
    <message>
        <source>This build knows %1</source>
        <translation>This build knows %1</translation>
    </message>
    <message>
        <source>This file system has no folders</source>
        <translation>This file system has no folders</translation>
    </message>
    <message>
        <source>This is not a GGUF file</source>
        <translation>This is not a GGUF file</translation>
    </message>
    <message>
        <source>This is not a valid GGUF file</source>
        <translation>This is not a valid GGUF file</translation>
    </message>
    <message>
        <source>This machine has %1</source>
        <translation>This machine has %1</translation>
    </message>
    <message>
        <source>This machine's processor or system lacks what they need</source>
        <translation>This machine's processor or system lacks what they need</translation>
    </message>
    <message>
        <source>This model can't have a KV cache in %1</source>
        <translation>This model can't have a KV cache in %1</translation>
    </message>
    <message>
        <source>This model can't run</source>
        <translation>This model can't run</translation>
    </message>
    <message>
        <source>This model's text can't be split into tokens</source>
        <translation>This model's text can't be split into tokens</translation>
    </message>
    <message>
        <source>This program can't compute with the format %1</source>
        <translation>This program can't compute with the format %1</translation>
    </message>
    <message>
        <source>This program can't run the architecture '%1'</source>
        <translation>This program can't run the architecture '%1'</translation>
    </message>
    <message>
        <source>This program can't run this variant of the model</source>
        <translation>This program can't run this variant of the model</translation>
    </message>
    <message>
        <source>Token %1 holds what no token can</source>
        <translation>Token %1 holds what no token can</translation>
    </message>
    <message>
        <source>Token %1 is longer than any token may be</source>
        <translation>Token %1 is longer than any token may be</translation>
    </message>
    <message>
        <source>Too many files are open</source>
        <translation>Too many files are open</translation>
    </message>
    <message>
        <source>Update the program to see it</source>
        <translation>Update the program to see it</translation>
    </message>
    <message>
        <source>Update the program, or record the trace again</source>
        <translation>Update the program, or record the trace again</translation>
    </message>
    <message>
        <source>Update the program, or write the answer again</source>
        <translation>Update the program, or write the answer again</translation>
    </message>
    <message>
        <source>Use a model of another family, or a newer version of this program</source>
        <translation>Use a model of another family, or a newer version of this program</translation>
    </message>
    <message>
        <source>Use a shorter text</source>
        <translation>Use a shorter text</translation>
    </message>
    <message>
        <source>Use ids from this model's own vocabulary</source>
        <translation>Use ids from this model's own vocabulary</translation>
    </message>
    <message>
        <source>Use it as it is</source>
        <translation>Use it as it is</translation>
    </message>
    <message>
        <source>Use the system's files</source>
        <translation>Use the system's files</translation>
    </message>
    <message>
        <source>Use tokens of this model's tokenizer</source>
        <translation>Use tokens of this model's tokenizer</translation>
    </message>
    <message>
        <source>Write a name</source>
        <translation>Write a name</translation>
    </message>
    <message>
        <source>Write something first</source>
        <translation>Write something first</translation>
    </message>
    <message>
        <source>Write the answer again</source>
        <translation>Write the answer again</translation>
    </message>
    <message>
        <source>Write the answer again to get a new record</source>
        <translation>Write the answer again to get a new record</translation>
    </message>
    <message>
        <source>a key</source>
        <translation>a key</translation>
    </message>
    <message>
        <source>a key's name</source>
        <translation>a key's name</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>a string</translation>
    </message>
    <message>
        <source>a string in an array</source>
        <translation>a string in an array</translation>
    </message>
    <message>
        <source>a tensor</source>
        <translation>a tensor</translation>
    </message>
    <message>
        <source>a tensor's name</source>
        <translation>a tensor's name</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>a value</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>an array</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>frequency penalty</translation>
    </message>
    <message>
        <source>general.alignment is not a power of two between 1 and %1</source>
        <translation>general.alignment is not a power of two between 1 and %1</translation>
    </message>
    <message>
        <source>it is %1, and 1 (softmax) and 2 (sigmoid) are known</source>
        <translation>it is %1, and 1 (softmax) and 2 (sigmoid) are known</translation>
    </message>
    <message>
        <source>it is %1, which this family doesn't have here</source>
        <translation>it is %1, which this family doesn't have here</translation>
    </message>
    <message>
        <source>it is '%1', and 'linear', 'yarn' and 'none' are known</source>
        <translation>it is '%1', and 'linear', 'yarn' and 'none' are known</translation>
    </message>
    <message>
        <source>penalty window</source>
        <translation>penalty window</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>presence penalty</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>repetition penalty</translation>
    </message>
    <message>
        <source>the header</source>
        <translation>the header</translation>
    </message>
    <message>
        <source>this family is known here without experts only</source>
        <translation>this family is known here without experts only</translation>
    </message>
    <message>
        <source>tokenizer.ggml.merges is missing or holds no texts</source>
        <translation>tokenizer.ggml.merges is missing or holds no texts</translation>
    </message>
    <message>
        <source>tokenizer.ggml.scores holds no numbers</source>
        <translation>tokenizer.ggml.scores holds no numbers</translation>
    </message>
    <message>
        <source>tokenizer.ggml.tokens is missing or holds no texts</source>
        <translation>tokenizer.ggml.tokens is missing or holds no texts</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Dismiss</source>
        <translation>Dismiss</translation>
    </message>
</context>
<context>
    <name>ExpertGauge</name>
    <message>
        <source>Experts</source>
        <translation>Experts</translation>
    </message>
    <message>
        <source>Experts from memory</source>
        <translation>Experts from memory</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Layers</translation>
    </message>
    <message>
        <source>Layers from memory</source>
        <translation>Layers from memory</translation>
    </message>
    <message>
        <source>all</source>
        <translation>all</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>idle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>none</translation>
    </message>
</context>
<context>
    <name>ExpertGridView</name>
    <message>
        <source>%1 %2 times</source>
        <translation>%1 %2 times</translation>
    </message>
    <message>
        <source>Drag to move the grid.</source>
        <translation>Drag to move the grid.</translation>
    </message>
    <message>
        <source>Experts: a row for each layer. The arrow keys move, Enter selects</source>
        <translation>Experts: a row for each layer. The arrow keys move, Enter selects</translation>
    </message>
    <message>
        <source>Larger cells</source>
        <translation>Larger cells</translation>
    </message>
    <message>
        <source>Layers of the model</source>
        <translation>Layers of the model</translation>
    </message>
    <message>
        <source>Most often: %1</source>
        <translation>Most often: %1</translation>
    </message>
    <message>
        <source>Point at a cell to read its value.</source>
        <translation>Point at a cell to read its value.</translation>
    </message>
    <message>
        <source>Select no expert</source>
        <translation>Select no expert</translation>
    </message>
    <message>
        <source>Show the values as a table</source>
        <translation>Show the values as a table</translation>
    </message>
    <message>
        <source>Smaller cells</source>
        <translation>Smaller cells</translation>
    </message>
</context>
<context>
    <name>ExpertList</name>
    <message>
        <source>By layer</source>
        <translation>By layer</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Expert</translation>
    </message>
    <message>
        <source>Experts as a table</source>
        <translation>Experts as a table</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Layer</translation>
    </message>
    <message>
        <source>Order of the table</source>
        <translation>Order of the table</translation>
    </message>
    <message>
        <source>Strongest first</source>
        <translation>Strongest first</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Value</translation>
    </message>
</context>
<context>
    <name>ExpertPanel</name>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln expert(s) are in memory. The others are read from disk when they are used.</source>
        <translation><numerusform>%1 of %Ln expert is in memory. The others are read from disk when they are used.</numerusform><numerusform>%1 of %Ln experts are in memory. The others are read from disk when they are used.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln layer(s) are in memory. The others are read from disk for each token.</source>
        <translation><numerusform>%1 of %Ln layer is in memory. The others are read from disk for each token.</numerusform><numerusform>%1 of %Ln layers are in memory. The others are read from disk for each token.</numerusform></translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message numerus="yes">
        <source>All %Ln expert(s) are in memory: nothing is read from disk while the model answers.</source>
        <translation><numerusform>The %Ln expert is in memory: nothing is read from disk while the model answers.</numerusform><numerusform>All %Ln experts are in memory: nothing is read from disk while the model answers.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>All %Ln layer(s) are in memory: nothing is read from disk while the model answers.</source>
        <translation><numerusform>The %Ln layer is in memory: nothing is read from disk while the model answers.</numerusform><numerusform>All %Ln layers are in memory: nothing is read from disk while the model answers.</numerusform></translation>
    </message>
    <message>
        <source>From memory</source>
        <translation>From memory</translation>
    </message>
    <message>
        <source>No model is open. While a model answers, this shows where its experts come from.</source>
        <translation>No model is open. While a model answers, this shows where its experts come from.</translation>
    </message>
    <message>
        <source>Read from disk</source>
        <translation>Read from disk</translation>
    </message>
    <message>
        <source>Since the model was opened, %1 of experts came from memory, %2 was read from disk, and %3 was spent waiting.</source>
        <translation>Since the model was opened, %1 of experts came from memory, %2 was read from disk, and %3 was spent waiting.</translation>
    </message>
    <message>
        <source>Since the model was opened, %1 of layers came from memory, %2 was read from disk, and %3 was spent waiting.</source>
        <translation>Since the model was opened, %1 of layers came from memory, %2 was read from disk, and %3 was spent waiting.</translation>
    </message>
    <message numerus="yes">
        <source>There is room for all %Ln expert(s), and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.</source>
        <translation><numerusform>There is room for its %Ln expert, and %1 is in memory so far. The others are read from disk when they are used or while the model is idle.</numerusform><numerusform>There is room for all %Ln experts, and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>There is room for all %Ln layer(s), and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.</source>
        <translation><numerusform>There is room for its %Ln layer, and %1 is in memory so far. The others are read from disk when they are used or while the model is idle.</numerusform><numerusform>There is room for all %Ln layers, and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.</numerusform></translation>
    </message>
    <message>
        <source>Waiting for the disk</source>
        <translation>Waiting for the disk</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>idle</translation>
    </message>
</context>
<context>
    <name>ExpertsView</name>
    <message>
        <source>Answer</source>
        <translation>Answer</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Colour the text by</source>
        <translation>Colour the text by</translation>
    </message>
    <message>
        <source>Compare the answer with</source>
        <translation>Compare the answer with</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Compare with</translation>
    </message>
    <message>
        <source>Keep for comparison</source>
        <translation>Keep for comparison</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Now</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>Places</translation>
    </message>
    <message>
        <source>This answer can now be compared with others</source>
        <translation>This answer can now be compared with others</translation>
    </message>
    <message>
        <source>What the grid shows</source>
        <translation>What the grid shows</translation>
    </message>
</context>
<context>
    <name>ExportMenu</name>
    <message>
        <source>A line for each expert of each token</source>
        <translation>A line for each expert of each token</translation>
    </message>
    <message>
        <source>Copy a summary as text</source>
        <translation>Copy a summary as text</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Pictures (*.png)</translation>
    </message>
    <message>
        <source>Save figures and charts as a picture</source>
        <translation>Save figures and charts as a picture</translation>
    </message>
    <message>
        <source>Save figures and charts as a picture&#8230;</source>
        <translation>Save figures and charts as a picture&#8230;</translation>
    </message>
    <message>
        <source>Save or copy</source>
        <translation>Save or copy</translation>
    </message>
    <message>
        <source>Save the grid as a picture</source>
        <translation>Save the grid as a picture</translation>
    </message>
    <message>
        <source>Save the grid as a picture&#8230;</source>
        <translation>Save the grid as a picture&#8230;</translation>
    </message>
    <message>
        <source>Save the record as CSV</source>
        <translation>Save the record as CSV</translation>
    </message>
    <message>
        <source>Save the record as CSV&#8230;</source>
        <translation>Save the record as CSV&#8230;</translation>
    </message>
    <message>
        <source>Save the record as JSON</source>
        <translation>Save the record as JSON</translation>
    </message>
    <message>
        <source>Save the record as JSON&#8230;</source>
        <translation>Save the record as JSON&#8230;</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tables (*.csv)</translation>
    </message>
</context>
<context>
    <name>FigureRows</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>What is this? %1</source>
        <translation>What is this? %1</translation>
    </message>
</context>
<context>
    <name>FirstLook</name>
    <message>
        <source>Back</source>
        <translation>Back</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Done</translation>
    </message>
    <message>
        <source>Each cell is an expert: a small network. For every token, which is a word or a piece of one, the model chooses a few experts in each layer. The coloured cells were chosen.</source>
        <translation>Each cell is an expert: a small network. For every token, which is a word or a piece of one, the model chooses a few experts in each layer. The coloured cells were chosen.</translation>
    </message>
    <message>
        <source>End</source>
        <translation>End</translation>
    </message>
    <message>
        <source>Let the model tell a short story</source>
        <translation>Let the model tell a short story</translation>
    </message>
    <message>
        <source>Move this slider or press play: each token takes another route through the experts.</source>
        <translation>Move this slider or press play: each token takes another route through the experts.</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Next</translation>
    </message>
    <message>
        <source>Open the demo model</source>
        <translation>Open the demo model</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Step %1 of %2</translation>
    </message>
    <message>
        <source>Tell me a short story about a fox.</source>
        <translation>Tell me a short story about a fox.</translation>
    </message>
    <message>
        <source>These figures say what the answer cost. The question mark beside each one explains it.</source>
        <translation>These figures say what the answer cost. The question mark beside each one explains it.</translation>
    </message>
    <message>
        <source>This grid is the model. Each row is a layer, and every word passes through all rows, from the first to the last.</source>
        <translation>This grid is the model. Each row is a layer, and every word passes through all rows, from the first to the last.</translation>
    </message>
    <message>
        <source>This is the whole answer. A stronger colour means that more tokens used the expert. Select a cell, and the words that it worked on are coloured in the text.</source>
        <translation>This is the whole answer. A stronger colour means that more tokens used the expert. Select a cell, and the words that it worked on are coloured in the text.</translation>
    </message>
    <message>
        <source>This shows where experts are now. One that is not in memory is read from disk when a token needs it.</source>
        <translation>This shows where experts are now. One that is not in memory is read from disk when a token needs it.</translation>
    </message>
</context>
<context>
    <name>FirstStart</name>
    <message>
        <source>Open a model, then talk to it</source>
        <translation>Open a model, then talk to it</translation>
    </message>
</context>
<context>
    <name>ForecastCard</name>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 in %2 (chosen automatically)</source>
        <translation>%1 in %2 (chosen automatically)</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln expert(s)</source>
        <translation><numerusform>%1 of %Ln expert</numerusform><numerusform>%1 of %Ln experts</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln layer(s)</source>
        <translation><numerusform>%1 of %Ln layer</numerusform><numerusform>%1 of %Ln layers</numerusform></translation>
    </message>
    <message>
        <source>All experts stay in memory: nothing is read from disk while the model answers.</source>
        <translation>All experts stay in memory: nothing is read from disk while the model answers.</translation>
    </message>
    <message>
        <source>Allow %1</source>
        <translation>Allow %1</translation>
    </message>
    <message>
        <source>Available when the answer is complete</source>
        <translation>Available when the answer is complete</translation>
    </message>
    <message>
        <source>Coterie itself</source>
        <translation>Coterie itself</translation>
    </message>
    <message numerus="yes">
        <source>KV cache for %Ln token(s)</source>
        <translation><numerusform>KV cache for %Ln token</numerusform><numerusform>KV cache for %Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Looking at the model&#8230;</source>
        <translation>Looking at the model&#8230;</translation>
    </message>
    <message numerus="yes">
        <source>One token uses %Ln expert(s), and fewer than that stay in memory. Each token waits for the disk, so answers will be slow.</source>
        <translation><numerusform>One token uses %Ln expert, and it does not stay in memory. Each token waits for the disk, so answers will be slow.</numerusform><numerusform>One token uses %Ln experts, and fewer than that stay in memory. Each token waits for the disk, so answers will be slow.</numerusform></translation>
    </message>
    <message>
        <source>Open again with these settings</source>
        <translation>Open again with these settings</translation>
    </message>
    <message>
        <source>Other programs leave %1 free now, so they would have to release memory.</source>
        <translation>Other programs leave %1 free now, so they would have to release memory.</translation>
    </message>
    <message>
        <source>That is more than this machine has (%1), so it would become very slow.</source>
        <translation>That is more than this machine has (%1), so it would become very slow.</translation>
    </message>
    <message>
        <source>The budget is too small: %1 needs at least %2</source>
        <translation>The budget is too small: %1 needs at least %2</translation>
    </message>
    <message>
        <source>The figures below are for the smallest budget that works. A shorter context needs less memory.</source>
        <translation>The figures below are for the smallest budget that works. A shorter context needs less memory.</translation>
    </message>
    <message>
        <source>The whole model stays in memory: nothing is read from disk while it answers.</source>
        <translation>The whole model stays in memory: nothing is read from disk while it answers.</translation>
    </message>
    <message numerus="yes">
        <source>There is room for %1 of its %Ln layer(s). The others are read from disk for each token, so answers will be slow.</source>
        <translation><numerusform>There is room for %1 of its %Ln layer. The others are read from disk for each token, so answers will be slow.</numerusform><numerusform>There is room for %1 of its %Ln layers. The others are read from disk for each token, so answers will be slow.</numerusform></translation>
    </message>
    <message>
        <source>There is room for %1 times the experts that one token uses. The others are read from disk when they are used.</source>
        <translation>There is room for %1 times the experts that one token uses. The others are read from disk when they are used.</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>Unused</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Weights</translation>
    </message>
    <message>
        <source>When a model is open, this shows how much memory it would use.</source>
        <translation>When a model is open, this shows how much memory it would use.</translation>
    </message>
</context>
<context>
    <name>GridLegend</name>
    <message>
        <source>%1 less</source>
        <translation>%1 less</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 more</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation><numerusform>%Ln token</numerusform><numerusform>%Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Colours from %1 to %2</source>
        <translation>Colours from %1 to %2</translation>
    </message>
    <message>
        <source>Colours: on disk, arriving, in memory</source>
        <translation>Colours: on disk, arriving, in memory</translation>
    </message>
    <message>
        <source>Corner: it had to be read from disk</source>
        <translation>Corner: it had to be read from disk</translation>
    </message>
    <message>
        <source>arriving</source>
        <translation>arriving</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>in memory</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>not used</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>on disk</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>weight %1</translation>
    </message>
</context>
<context>
    <name>IconButton</name>
    <message>
        <source>Not available now</source>
        <translation>Not available now</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 nats</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 of %2</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 of %2 tokens</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln expert(s) are in memory now.</source>
        <translation><numerusform>%1 of %Ln expert is in memory now.</numerusform><numerusform>%1 of %Ln experts are in memory now.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln layer(s) are in memory now.</source>
        <translation><numerusform>%1 of %Ln layer is in memory now.</numerusform><numerusform>%1 of %Ln layers are in memory now.</numerusform></translation>
    </message>
    <message>
        <source>%1 of all experts were used at least once; by chance it would be %2.</source>
        <translation>%1 of all experts were used at least once; by chance it would be %2.</translation>
    </message>
    <message>
        <source>%1 of expert reads came from memory; %2 came from disk and cost %3 of waiting.</source>
        <translation>%1 of expert reads came from memory; %2 came from disk and cost %3 of waiting.</translation>
    </message>
    <message>
        <source>%1 of expert reads came from memory; the others came from disk and cost %2 of waiting.</source>
        <translation>%1 of expert reads came from memory; the others came from disk and cost %2 of waiting.</translation>
    </message>
    <message>
        <source>%1 of layer reads came from memory; %2 came from disk and cost %3 of waiting.</source>
        <translation>%1 of layer reads came from memory; %2 came from disk and cost %3 of waiting.</translation>
    </message>
    <message>
        <source>%1 of layer reads came from memory; the others came from disk and cost %2 of waiting.</source>
        <translation>%1 of layer reads came from memory; the others came from disk and cost %2 of waiting.</translation>
    </message>
    <message>
        <source>%1 points less</source>
        <translation>%1 points less</translation>
    </message>
    <message>
        <source>%1 points more</source>
        <translation>%1 points more</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 tok/s</translation>
    </message>
    <message>
        <source>%1, in %2 of the latest %3 answers of this chat.</source>
        <translation>%1, in %2 of the latest %3 answers of this chat.</translation>
    </message>
    <message>
        <source>%1, in %2 of this chat's %3 answers.</source>
        <translation>%1, in %2 of this chat's %3 answers.</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message numerus="yes">
        <source>%Ln expert(s)</source>
        <translation><numerusform>%Ln expert</numerusform><numerusform>%Ln experts</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln neuron(s)</source>
        <translation><numerusform>%Ln neuron</numerusform><numerusform>%Ln neurons</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) of the prompt were not read again: they were still in the model's memory of this conversation.</source>
        <translation><numerusform>%Ln token of the prompt was not read again: it was still in the model's memory of this conversation.</numerusform><numerusform>%Ln tokens of the prompt were not read again: they were still in the model's memory of this conversation.</numerusform></translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>Active neurons</source>
        <translation>Active neurons</translation>
    </message>
    <message>
        <source>Bytes read from disk divided by the time of the whole answer. The disk rests while nothing is missing, so its own rate can be higher.</source>
        <translation>Bytes read from disk divided by the time of the whole answer. The disk rests while nothing is missing, so its own rate can be higher.</translation>
    </message>
    <message>
        <source>Bytes that were read from the model's file for this answer.</source>
        <translation>Bytes that were read from the model's file for this answer.</translation>
    </message>
    <message>
        <source>Compared with %1, no expert was used more or less.</source>
        <translation>Compared with %1, no expert was used more or less.</translation>
    </message>
    <message>
        <source>Compared with %1, these differ most: %2.</source>
        <translation>Compared with %1, these differ most: %2.</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Context</translation>
    </message>
    <message>
        <source>Different experts used</source>
        <translation>Different experts used</translation>
    </message>
    <message>
        <source>Disk rate</source>
        <translation>Disk rate</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>Entropy</translation>
    </message>
    <message>
        <source>Every expert was in memory when a token needed it.</source>
        <translation>Every expert was in memory when a token needed it.</translation>
    </message>
    <message>
        <source>Every layer was in memory when a token needed it.</source>
        <translation>Every layer was in memory when a token needed it.</translation>
    </message>
    <message>
        <source>Every token uses all layers.</source>
        <translation>Every token uses all layers.</translation>
    </message>
    <message>
        <source>Experts from disk</source>
        <translation>Experts from disk</translation>
    </message>
    <message>
        <source>From memory</source>
        <translation>From memory</translation>
    </message>
    <message>
        <source>Head rows</source>
        <translation>Head rows</translation>
    </message>
    <message numerus="yes">
        <source>How many of %Ln token(s) used each expert</source>
        <translation><numerusform>How many of %Ln token used each expert</numerusform><numerusform>How many of %Ln tokens used each expert</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>How many of %Ln token(s) used each layer</source>
        <translation><numerusform>How many of %Ln token used each layer</numerusform><numerusform>How many of %Ln tokens used each layer</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>How many of this answer's %Ln token(s) used each expert.</source>
        <translation><numerusform>How many of this answer's %Ln token used each expert.</numerusform><numerusform>How many of this answer's %Ln tokens used each expert.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>How many of this answer's %Ln token(s) used each layer.</source>
        <translation><numerusform>How many of this answer's %Ln token used each layer.</numerusform><numerusform>How many of this answer's %Ln tokens used each layer.</numerusform></translation>
    </message>
    <message>
        <source>If experts were chosen at random</source>
        <translation>If experts were chosen at random</translation>
    </message>
    <message>
        <source>In the middle of the layers, %1 of the neurons of the experts that ran were active.</source>
        <translation>In the middle of the layers, %1 of the neurons of the experts that ran were active.</translation>
    </message>
    <message numerus="yes">
        <source>Layer %1: experts %2 and %3 work together for %Ln token(s), %4 times as often as by chance.</source>
        <translation><numerusform>Layer %1: experts %2 and %3 work together for %Ln token, %4 times as often as by chance.</numerusform><numerusform>Layer %1: experts %2 and %3 work together for %Ln tokens, %4 times as often as by chance.</numerusform></translation>
    </message>
    <message>
        <source>Memory budget</source>
        <translation>Memory budget</translation>
    </message>
    <message>
        <source>Memory that the open model and Coterie may use together. Experts that do not fit into it stay on disk until a token needs them.</source>
        <translation>Memory that the open model and Coterie may use together. Experts that do not fit into it stay on disk until a token needs them.</translation>
    </message>
    <message>
        <source>More memory would hardly help: in a replay that begins with nothing in memory, %1 of the expert reads come from memory with %2, and %3 if every expert had room.</source>
        <translation>More memory would hardly help: in a replay that begins with nothing in memory, %1 of the expert reads come from memory with %2, and %3 if every expert had room.</translation>
    </message>
    <message>
        <source>More memory would help, but this machine does not have enough of it.</source>
        <translation>More memory would help, but this machine does not have enough of it.</translation>
    </message>
    <message>
        <source>More memory would not help: every expert of the model has room.</source>
        <translation>More memory would not help: every expert of the model has room.</translation>
    </message>
    <message>
        <source>No expert was missing: nothing was read from disk for this answer.</source>
        <translation>No expert was missing: nothing was read from disk for this answer.</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nothing</translation>
    </message>
    <message>
        <source>Nothing was computed for this token: the answer ended here.</source>
        <translation>Nothing was computed for this token: the answer ended here.</translation>
    </message>
    <message>
        <source>Open the model that wrote this answer to see which budget would help.</source>
        <translation>Open the model that wrote this answer to see which budget would help.</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Probability</translation>
    </message>
    <message>
        <source>Read from disk</source>
        <translation>Read from disk</translation>
    </message>
    <message>
        <source>Share of the experts that were in memory when a token needed them. It is also called the hit rate.</source>
        <translation>Share of the experts that were in memory when a token needed them. It is also called the hit rate.</translation>
    </message>
    <message>
        <source>Share of the layers that were in memory when a token needed them.</source>
        <translation>Share of the layers that were in memory when a token needed them.</translation>
    </message>
    <message>
        <source>Share of the neurons that were above zero in the experts that ran. The others are left out, so less is read and computed.</source>
        <translation>Share of the neurons that were above zero in the experts that ran. The others are left out, so less is read and computed.</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Speed</translation>
    </message>
    <message>
        <source>The Gini index of use is %1 on average: 0 means that all experts are used alike, 1 that one is used alone. Layer %2 is the most uneven, with %3. The entropy is %4 of the greatest possible.</source>
        <translation>The Gini index of use is %1 on average: 0 means that all experts are used alike, 1 that one is used alone. Layer %2 is the most uneven, with %3. The entropy is %4 of the greatest possible.</translation>
    </message>
    <message>
        <source>The experts of this model have no neurons that rest.</source>
        <translation>The experts of this model have no neurons that rest.</translation>
    </message>
    <message>
        <source>The head scores every token that could come next, a row for each. With a predictor only the rows that are likely to matter are computed.</source>
        <translation>The head scores every token that could come next, a row for each. With a predictor only the rows that are likely to matter are computed.</translation>
    </message>
    <message>
        <source>The most that is possible</source>
        <translation>The most that is possible</translation>
    </message>
    <message>
        <source>The part of the model's reading span that this conversation fills.</source>
        <translation>The part of the model's reading span that this conversation fills.</translation>
    </message>
    <message>
        <source>The prompt was read in chunks. The tokens of a chunk share its time and its waiting evenly.</source>
        <translation>The prompt was read in chunks. The tokens of a chunk share its time and its waiting evenly.</translation>
    </message>
    <message>
        <source>The record begins at token %1: the ones before it were too many to keep.</source>
        <translation>The record begins at token %1: the ones before it were too many to keep.</translation>
    </message>
    <message numerus="yes">
        <source>The route of %1: up to %Ln expert(s) in each layer. Stronger colour means more weight.</source>
        <translation><numerusform>The route of %1: up to %Ln expert in each layer. Stronger colour means more weight.</numerusform><numerusform>The route of %1: up to %Ln experts in each layer. Stronger colour means more weight.</numerusform></translation>
    </message>
    <message>
        <source>The route of the newest token. Stronger colour means more weight.</source>
        <translation>The route of the newest token. Stronger colour means more weight.</translation>
    </message>
    <message>
        <source>The stronger the colour, the less probable was the word.</source>
        <translation>The stronger the colour, the less probable was the word.</translation>
    </message>
    <message>
        <source>The stronger the colour, the less sure was the model which word to write; the strongest is %1.</source>
        <translation>The stronger the colour, the less sure was the model which word to write; the strongest is %1.</translation>
    </message>
    <message>
        <source>The stronger the colour, the longer the token took; the strongest is %1.</source>
        <translation>The stronger the colour, the longer the token took; the strongest is %1.</translation>
    </message>
    <message>
        <source>The stronger the colour, the longer the token waited for the disk; the strongest is %1.</source>
        <translation>The stronger the colour, the longer the token waited for the disk; the strongest is %1.</translation>
    </message>
    <message>
        <source>The stronger the colour, the more experts came from disk; the strongest is %1.</source>
        <translation>The stronger the colour, the more experts came from disk; the strongest is %1.</translation>
    </message>
    <message>
        <source>The stronger the colour, the more neurons were active; the strongest is %1.</source>
        <translation>The stronger the colour, the more neurons were active; the strongest is %1.</translation>
    </message>
    <message>
        <source>This answer has no probabilities. They are computed for answers that begin while this is chosen; the answers are then a little slower.</source>
        <translation>This answer has no probabilities. They are computed for answers that begin while this is chosen; the answers are then a little slower.</translation>
    </message>
    <message>
        <source>This model has no experts. The grid shows its layers, which every token uses.</source>
        <translation>This model has no experts. The grid shows its layers, which every token uses.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Time</translation>
    </message>
    <message>
        <source>Token %1 of %2: %3, after %4</source>
        <translation>Token %1 of %2: %3, after %4</translation>
    </message>
    <message>
        <source>Token %1 of the prompt's %2, read after %3</source>
        <translation>Token %1 of the prompt's %2, read after %3</translation>
    </message>
    <message>
        <source>Tokens that were written in a second. A token is a word or a piece of one.</source>
        <translation>Tokens that were written in a second. A token is a word or a piece of one.</translation>
    </message>
    <message>
        <source>Waiting for the disk</source>
        <translation>Waiting for the disk</translation>
    </message>
    <message>
        <source>With %1 in place of %2, %3 of the expert reads would come from memory in place of %4, in a replay that begins with nothing in memory.</source>
        <translation>With %1 in place of %2, %3 of the expert reads would come from memory in place of %4, in a replay that begins with nothing in memory.</translation>
    </message>
    <message>
        <source>a line break</source>
        <translation>a line break</translation>
    </message>
    <message>
        <source>a space</source>
        <translation>a space</translation>
    </message>
    <message>
        <source>a token without text</source>
        <translation>a token without text</translation>
    </message>
    <message>
        <source>even</source>
        <translation>even</translation>
    </message>
    <message>
        <source>expert %1 of layer %2 (%3)</source>
        <translation>expert %1 of layer %2 (%3)</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>layer %1</translation>
    </message>
    <message>
        <source>layer 0</source>
        <translation>layer 0</translation>
    </message>
    <message>
        <source>one expert</source>
        <translation>one expert</translation>
    </message>
    <message numerus="yes">
        <source>room for %Ln expert(s)</source>
        <translation><numerusform>room for %Ln expert</numerusform><numerusform>room for %Ln experts</numerusform></translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>token %1</translation>
    </message>
    <message>
        <source>token %1 of the prompt</source>
        <translation>token %1 of the prompt</translation>
    </message>
    <message>
        <source>token 1</source>
        <translation>token 1</translation>
    </message>
    <message>
        <source>&#8220;%1&#8221;</source>
        <translation>&#8220;%1&#8221;</translation>
    </message>
</context>
<context>
    <name>LossyGroup</name>
    <message>
        <source>"When low" means that the battery is at 20 % or less and is not being charged, or that other programs need memory while the memory budget is automatic.</source>
        <translation>"When low" means that the battery is at 20 % or less and is not being charged, or that other programs need memory while the memory budget is automatic.</translation>
    </message>
    <message>
        <source>All experts of the open model fit into memory, so this changes hardly anything now.</source>
        <translation>All experts of the open model fit into memory, so this changes hardly anything now.</translation>
    </message>
    <message>
        <source>An expert in memory replaces one on disk that is only a little better. The best expert is always used. Answers wait less for the disk.</source>
        <translation>An expert in memory replaces one on disk that is only a little better. The best expert is always used. Answers wait less for the disk.</translation>
    </message>
    <message>
        <source>Faster, less exact (applies from the next answer)</source>
        <translation>Faster, less exact (applies from the next answer)</translation>
    </message>
    <message>
        <source>In a measurement with the demo model and room for nearly half of its experts, the first option at 20 % and the second at 90 % each saved over a third of the data read from disk, and 99 of 100 tokens stayed the same. Other models may change more.</source>
        <translation>In a measurement with the demo model and room for nearly half of its experts, the first option at 20 % and the second at 90 % each saved over a third of the data read from disk, and 99 of 100 tokens stayed the same. Other models may change more.</translation>
    </message>
    <message>
        <source>Leave out the least important experts</source>
        <translation>Leave out the least important experts</translation>
    </message>
    <message>
        <source>Prefer experts that are in memory</source>
        <translation>Prefer experts that are in memory</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Strength</translation>
    </message>
    <message>
        <source>The least important experts of a token often have little weight. Without them, there is less to read and compute.</source>
        <translation>The least important experts of a token often have little weight. Without them, there is less to read and compute.</translation>
    </message>
    <message>
        <source>The open model has no experts, so these options have no effect on it.</source>
        <translation>The open model has no experts, so these options have no effect on it.</translation>
    </message>
    <message>
        <source>Use these options when memory or power is low. They change answers: each changed answer has a note below it. What you write is always read exactly.</source>
        <translation>Use these options when memory or power is low. They change answers: each changed answer has a note below it. What you write is always read exactly.</translation>
    </message>
    <message>
        <source>Weight to keep</source>
        <translation>Weight to keep</translation>
    </message>
</context>
<context>
    <name>LossyWay</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1, in percent</source>
        <translation>%1, in percent</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Always</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Never</translation>
    </message>
    <message>
        <source>When low</source>
        <translation>When low</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <source>%1 - Coterie</source>
        <translation>%1 - Coterie</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Back</translation>
    </message>
    <message>
        <source>Back to the conversation</source>
        <translation>Back to the conversation</translation>
    </message>
    <message>
        <source>Coterie</source>
        <translation>Coterie</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>%1 used by Coterie</source>
        <translation>%1 used by Coterie</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memory</translation>
    </message>
    <message>
        <source>Memory: %1</source>
        <translation>Memory: %1</translation>
    </message>
</context>
<context>
    <name>MemoryGroup</name>
    <message>
        <source>At least %1</source>
        <translation>At least %1</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Compact</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Context</translation>
    </message>
    <message>
        <source>Context in tokens</source>
        <translation>Context in tokens</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Exact</translation>
    </message>
    <message>
        <source>Format of the keys and values of past tokens. Exact is F16. Compact is Q8_0: it uses half the memory, but answers may differ slightly.</source>
        <translation>Format of the keys and values of past tokens. Exact is F16. Compact is Q8_0: it uses half the memory, but answers may differ slightly.</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV cache</translation>
    </message>
    <message>
        <source>Let Coterie choose</source>
        <translation>Let Coterie choose</translation>
    </message>
    <message>
        <source>Longest conversation in tokens. A longer context uses more memory.</source>
        <translation>Longest conversation in tokens. A longer context uses more memory.</translation>
    </message>
    <message numerus="yes">
        <source>Longest conversation in tokens. A longer context uses more memory. The model was trained for %Ln token(s).</source>
        <translation><numerusform>Longest conversation in tokens. A longer context uses more memory. The model was trained for %Ln token.</numerusform><numerusform>Longest conversation in tokens. A longer context uses more memory. The model was trained for %Ln tokens.</numerusform></translation>
    </message>
    <message>
        <source>Memory (applies when a model is opened)</source>
        <translation>Memory (applies when a model is opened)</translation>
    </message>
    <message>
        <source>Memory budget</source>
        <translation>Memory budget</translation>
    </message>
    <message>
        <source>Memory budget in GiB</source>
        <translation>Memory budget in GiB</translation>
    </message>
    <message>
        <source>Memory budget, slider</source>
        <translation>Memory budget, slider</translation>
    </message>
    <message>
        <source>Memory that Coterie may use in total. Models can be larger than this.</source>
        <translation>Memory that Coterie may use in total. Models can be larger than this.</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Processor threads</translation>
    </message>
    <message>
        <source>The budget was set when Coterie was started. A change here applies from the next start.</source>
        <translation>The budget was set when Coterie was started. A change here applies from the next start.</translation>
    </message>
    <message>
        <source>This machine has %1</source>
        <translation>This machine has %1</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 of %2</translation>
    </message>
    <message>
        <source>Coterie itself</source>
        <translation>Coterie itself</translation>
    </message>
    <message>
        <source>Coterie may use %1 of %2.</source>
        <translation>Coterie may use %1 of %2.</translation>
    </message>
    <message>
        <source>Experts in memory</source>
        <translation>Experts in memory</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Free</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV cache</translation>
    </message>
    <message>
        <source>Layers in memory</source>
        <translation>Layers in memory</translation>
    </message>
    <message>
        <source>Memory is low: for now, Coterie keeps fewer experts than this allows.</source>
        <translation>Memory is low: for now, Coterie keeps fewer experts than this allows.</translation>
    </message>
    <message>
        <source>Memory is low: for now, Coterie keeps fewer layers than this allows.</source>
        <translation>Memory is low: for now, Coterie keeps fewer layers than this allows.</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Other programs</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Weights</translation>
    </message>
</context>
<context>
    <name>MessageItem</name>
    <message>
        <source>Answer: %1</source>
        <translation>Answer: %1</translation>
    </message>
    <message>
        <source>Show what the experts did</source>
        <translation>Show what the experts did</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Stopped</translation>
    </message>
    <message>
        <source>The answer is being written</source>
        <translation>The answer is being written</translation>
    </message>
    <message>
        <source>You: %1</source>
        <translation>You: %1</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>A tiny model that comes with Coterie, to try things out.</source>
        <translation>A tiny model that comes with Coterie, to try things out.</translation>
    </message>
    <message>
        <source>Close this model</source>
        <translation>Close this model</translation>
    </message>
    <message>
        <source>Memory settings</source>
        <translation>Memory settings</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>Open one to talk to it.</source>
        <translation>Open one to talk to it.</translation>
    </message>
    <message>
        <source>Opening, %1 %</source>
        <translation>Opening, %1 %</translation>
    </message>
    <message>
        <source>Stop opening</source>
        <translation>Stop opening</translation>
    </message>
    <message>
        <source>The model in use</source>
        <translation>The model in use</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Try again</translation>
    </message>
</context>
<context>
    <name>ModelChip</name>
    <message>
        <source>All models</source>
        <translation>All models</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>Close %1</translation>
    </message>
    <message>
        <source>Could not be opened</source>
        <translation>Could not be opened</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>Demo model</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>Model: %1</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Models</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>Open a model&#8230;</source>
        <translation>Open a model&#8230;</translation>
    </message>
    <message>
        <source>Opening, %1 %</source>
        <translation>Opening, %1 %</translation>
    </message>
    <message>
        <source>Small model included with Coterie</source>
        <translation>Small model included with Coterie</translation>
    </message>
    <message>
        <source>Stop opening</source>
        <translation>Stop opening</translation>
    </message>
    <message>
        <source>The file is gone</source>
        <translation>The file is gone</translation>
    </message>
</context>
<context>
    <name>ModelDialog</name>
    <message>
        <source>All files (*)</source>
        <translation>All files (*)</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>Models (*.gguf)</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Open a model</translation>
    </message>
</context>
<context>
    <name>ModelDrop</name>
    <message>
        <source>Drop the model to open it</source>
        <translation>Drop the model to open it</translation>
    </message>
</context>
<context>
    <name>ModelOffer</name>
    <message>
        <source>Open a model&#8230;</source>
        <translation>Open a model&#8230;</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>Recent models</translation>
    </message>
    <message>
        <source>or drop a .gguf file anywhere on this window</source>
        <translation>or drop a .gguf file anywhere on this window</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>A model is a .gguf file. Coterie reads it where it is, and you can also drop one anywhere on this window.</source>
        <translation>A model is a .gguf file. Coterie reads it where it is, and you can also drop one anywhere on this window.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Models</translation>
    </message>
    <message>
        <source>Models opened before</source>
        <translation>Models opened before</translation>
    </message>
    <message>
        <source>Models that you open will be listed here.</source>
        <translation>Models that you open will be listed here.</translation>
    </message>
    <message>
        <source>Open a model file&#8230;</source>
        <translation>Open a model file&#8230;</translation>
    </message>
    <message>
        <source>Open the demo model</source>
        <translation>Open the demo model</translation>
    </message>
    <message>
        <source>Small model included with Coterie</source>
        <translation>Small model included with Coterie</translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>Automatic</source>
        <translation>Automatic</translation>
    </message>
</context>
<context>
    <name>OfflineBadge</name>
    <message>
        <source>Offline</source>
        <translation>Offline</translation>
    </message>
    <message>
        <source>Show how to check this</source>
        <translation>Show how to check this</translation>
    </message>
</context>
<context>
    <name>PackedFileRow</name>
    <message>
        <source>%1 of %2 is written. You can keep using Coterie meanwhile.</source>
        <translation>%1 of %2 is written. You can keep using Coterie meanwhile.</translation>
    </message>
    <message>
        <source>It is not needed: nothing is read from disk while this model answers.</source>
        <translation>It is not needed: nothing is read from disk while this model answers.</translation>
    </message>
    <message>
        <source>It takes %1 of disk space and is in use.</source>
        <translation>It takes %1 of disk space and is in use.</translation>
    </message>
    <message>
        <source>It takes %1 of disk space but is not used, because the model's file has changed.</source>
        <translation>It takes %1 of disk space but is not used, because the model's file has changed.</translation>
    </message>
    <message>
        <source>It takes %1 of disk space. Each expert is then read in one piece, so answers wait less for the disk.</source>
        <translation>It takes %1 of disk space. Each expert is then read in one piece, so answers wait less for the disk.</translation>
    </message>
    <message>
        <source>It takes %1 of disk space. It will be used when the model is opened again.</source>
        <translation>It takes %1 of disk space. It will be used when the model is opened again.</translation>
    </message>
    <message>
        <source>Make it</source>
        <translation>Make it</translation>
    </message>
    <message>
        <source>Open the model again</source>
        <translation>Open the model again</translation>
    </message>
    <message>
        <source>Packed file of the experts</source>
        <translation>Packed file of the experts</translation>
    </message>
    <message>
        <source>Rebuild</source>
        <translation>Rebuild</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Remove</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stop</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Try again</translation>
    </message>
    <message>
        <source>With the settings that the model was opened with, nothing is read from disk. Open it again to see whether a packed file helps.</source>
        <translation>With the settings that the model was opened with, nothing is read from disk. Open it again to see whether a packed file helps.</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Back to the conversation</source>
        <translation>Back to the conversation</translation>
    </message>
</context>
<context>
    <name>ProblemStrip</name>
    <message>
        <source>Open another model&#8230;</source>
        <translation>Open another model&#8230;</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Try again</translation>
    </message>
</context>
<context>
    <name>PushButton</name>
    <message>
        <source>Not available now</source>
        <translation>Not available now</translation>
    </message>
</context>
<context>
    <name>RecentModelRow</name>
    <message>
        <source>Forget</source>
        <translation>Forget</translation>
    </message>
    <message>
        <source>Forget %1</source>
        <translation>Forget %1</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In use</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Open</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>Open %1</translation>
    </message>
    <message>
        <source>Remove %1 from this list</source>
        <translation>Remove %1 from this list</translation>
    </message>
    <message>
        <source>The file is not there any more.</source>
        <translation>The file is not there any more.</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>0 always picks the most likely token. Higher values give more variety.</source>
        <translation>0 always picks the most likely token. Higher values give more variety.</translation>
    </message>
    <message>
        <source>Also: the KV cache, threads, packed files, how tokens are drawn, traces, and faster but less exact answers.</source>
        <translation>Also: the KV cache, threads, packed files, how tokens are drawn, traces, and faster but less exact answers.</translation>
    </message>
    <message>
        <source>Answers (apply from the next answer)</source>
        <translation>Answers (apply from the next answer)</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Appearance</translation>
    </message>
    <message>
        <source>Considers only the most likely tokens whose probabilities add up to this.</source>
        <translation>Considers only the most likely tokens whose probabilities add up to this.</translation>
    </message>
    <message>
        <source>Considers only this many of the most likely tokens. 0 turns this off.</source>
        <translation>Considers only this many of the most likely tokens. 0 turns this off.</translation>
    </message>
    <message>
        <source>Considers only tokens with at least this share of the highest probability.</source>
        <translation>Considers only tokens with at least this share of the highest probability.</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dark</translation>
    </message>
    <message>
        <source>If this is empty, the answer ends by itself.</source>
        <translation>If this is empty, the answer ends by itself.</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Light</translation>
    </message>
    <message>
        <source>Longest answer in tokens</source>
        <translation>Longest answer in tokens</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>More settings</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Settings</translation>
    </message>
    <message>
        <source>Show all settings</source>
        <translation>Show all settings</translation>
    </message>
    <message>
        <source>Show fewer settings</source>
        <translation>Show fewer settings</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System prompt</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperature</translation>
    </message>
    <message>
        <source>Text at the start of every conversation</source>
        <translation>Text at the start of every conversation</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Text size</translation>
    </message>
    <message>
        <source>Text size in percent</source>
        <translation>Text size in percent</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Theme</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
</context>
<context>
    <name>ShortcutRow</name>
    <message>
        <source> or </source>
        <translation> or </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Keyboard shortcuts</translation>
    </message>
</context>
<context>
    <name>StartFacts</name>
    <message>
        <source>A model is a .gguf file that others trained and shared. Coterie reads it where it is, without copying it, and it can be larger than memory.</source>
        <translation>A model is a .gguf file that others trained and shared. Coterie reads it where it is, without copying it, and it can be larger than memory.</translation>
    </message>
    <message>
        <source>What you write stays on this computer. Coterie never opens a network connection and keeps your chats in one file on your disk.</source>
        <translation>What you write stays on this computer. Coterie never opens a network connection and keeps your chats in one file on your disk.</translation>
    </message>
</context>
<context>
    <name>ThoughtFrame</name>
    <message>
        <source>Hide the thoughts</source>
        <translation>Hide the thoughts</translation>
    </message>
    <message>
        <source>Show the thoughts</source>
        <translation>Show the thoughts</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Thinking</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>Thoughts</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>%1x</source>
        <translation>%1x</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Newest</translation>
    </message>
    <message>
        <source>Pause the replay</source>
        <translation>Pause the replay</translation>
    </message>
    <message>
        <source>Replay the answer with its real times</source>
        <translation>Replay the answer with its real times</translation>
    </message>
    <message>
        <source>Speed of the replay</source>
        <translation>Speed of the replay</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
</context>
<context>
    <name>TokenStrip</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Tokens of the answer</source>
        <translation>Tokens of the answer</translation>
    </message>
</context>
<context>
    <name>TracesGroup</name>
    <message>
        <source>Delete all traces</source>
        <translation>Delete all traces</translation>
    </message>
    <message>
        <source>Deletes what was kept for all answers. The answers themselves stay.</source>
        <translation>Deletes what was kept for all answers. The answers themselves stay.</translation>
    </message>
    <message>
        <source>Don't keep</source>
        <translation>Don't keep</translation>
    </message>
    <message>
        <source>If traces take more room than this, the oldest ones are deleted. A change applies at once.</source>
        <translation>If traces take more room than this, the oldest ones are deleted. A change applies at once.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Keep what the experts did with each answer</source>
        <translation>Keep what the experts did with each answer</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>Room for traces</source>
        <translation>Room for traces</translation>
    </message>
    <message>
        <source>Room for traces in MiB</source>
        <translation>Room for traces in MiB</translation>
    </message>
    <message>
        <source>There are none now.</source>
        <translation>There are none now.</translation>
    </message>
    <message>
        <source>They take %1 now.</source>
        <translation>They take %1 now.</translation>
    </message>
    <message>
        <source>Traces (apply from the next answer)</source>
        <translation>Traces (apply from the next answer)</translation>
    </message>
    <message>
        <source>Traces of all answers</source>
        <translation>Traces of all answers</translation>
    </message>
    <message>
        <source>With this, old answers can be inspected too. Traces are deleted with their messages, and stay out of exports unless you ask for them.</source>
        <translation>With this, old answers can be inspected too. Traces are deleted with their messages, and stay out of exports unless you ask for them.</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Deleted "%1"</source>
        <translation>Deleted "%1"</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Undo</translation>
    </message>
</context>
<context>
    <name>UnusedPackedFilesRow</name>
    <message>
        <source>Free %1</source>
        <translation>Free %1</translation>
    </message>
    <message numerus="yes">
        <source>No model uses the %Ln file(s) of %1 in total: their models were changed, moved or deleted, or the files are damaged.</source>
        <translation><numerusform>No model uses this file of %1: its model was changed, moved or deleted, or the file is damaged.</numerusform><numerusform>No model uses these %Ln files of %1 in total: their models were changed, moved or deleted, or the files are damaged.</numerusform></translation>
    </message>
    <message>
        <source>Packed files without a model</source>
        <translation>Packed files without a model</translation>
    </message>
</context>
<context>
    <name>ValueSlider</name>
    <message>
        <source>Not available now</source>
        <translation>Not available now</translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <source>About Coterie</source>
        <translation>About Coterie</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>All commands</translation>
    </message>
    <message>
        <source>Bin</source>
        <translation>Bin</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Close the page, or stop the answer</source>
        <translation>Close the page, or stop the answer</translation>
    </message>
    <message>
        <source>Close the program</source>
        <translation>Close the program</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>Delete the chat in the list</source>
        <translation>Delete the chat in the list</translation>
    </message>
    <message>
        <source>Go to the list of chats</source>
        <translation>Go to the list of chats</translation>
    </message>
    <message>
        <source>Jump to the latest message</source>
        <translation>Jump to the latest message</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Keyboard shortcuts</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Larger text</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Models</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>New chat</translation>
    </message>
    <message>
        <source>New line in the message</source>
        <translation>New line in the message</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Open a model</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Pages</translation>
    </message>
    <message>
        <source>Rename the chat in the list</source>
        <translation>Rename the chat in the list</translation>
    </message>
    <message>
        <source>Say what the experts do, for screen readers</source>
        <translation>Say what the experts do, for screen readers</translation>
    </message>
    <message>
        <source>Search in all chats</source>
        <translation>Search in all chats</translation>
    </message>
    <message>
        <source>Select the next paragraph or code</source>
        <translation>Select the next paragraph or code</translation>
    </message>
    <message>
        <source>Select the paragraph or code before</source>
        <translation>Select the paragraph or code before</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Send the message</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Settings</translation>
    </message>
    <message>
        <source>Show or hide the list of chats</source>
        <translation>Show or hide the list of chats</translation>
    </message>
    <message>
        <source>Show or hide the model's activity</source>
        <translation>Show or hide the model's activity</translation>
    </message>
    <message>
        <source>Show the model's activity as a page</source>
        <translation>Show the model's activity as a page</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Smaller text</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Stop the answer</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Window</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Write a message</translation>
    </message>
</context>
<context>
    <name>coterie::app::App</name>
    <message>
        <source>Another window of Coterie is using this folder of chats</source>
        <translation>Another window of Coterie is using this folder of chats</translation>
    </message>
    <message>
        <source>Coterie is already running</source>
        <translation>Coterie is already running</translation>
    </message>
    <message>
        <source>Use that window, or close it and start again</source>
        <translation>Use that window, or close it and start again</translation>
    </message>
</context>
<context>
    <name>coterie::app::ChartItem</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>At %1: %2</source>
        <translation>At %1: %2</translation>
    </message>
    <message>
        <source>Layer %1: %2</source>
        <translation>Layer %1: %2</translation>
    </message>
    <message>
        <source>Layer %1: half of the tokens between %2 and %3, in the middle %4</source>
        <translation>Layer %1: half of the tokens between %2 and %3, in the middle %4</translation>
    </message>
</context>
<context>
    <name>coterie::app::CommandList</name>
    <message>
        <source>%1 (%2)</source>
        <comment>what a button does (its key)</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>coterie::app::Conversation</name>
    <message>
        <source>It is longer than any model can read</source>
        <translation>It is longer than any model can read</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>Open a model and send again</source>
        <translation>Open a model and send again</translation>
    </message>
    <message>
        <source>Send it in shorter parts</source>
        <translation>Send it in shorter parts</translation>
    </message>
    <message>
        <source>Shorten the message, start a new chat, or allow a longer context</source>
        <translation>Shorten the message, start a new chat, or allow a longer context</translation>
    </message>
    <message>
        <source>The answer before it is still being written</source>
        <translation>The answer before it is still being written</translation>
    </message>
    <message>
        <source>The message was not sent</source>
        <translation>The message was not sent</translation>
    </message>
    <message>
        <source>Wait for it to end or stop it, then send again</source>
        <translation>Wait for it to end or stop it, then send again</translation>
    </message>
    <message numerus="yes">
        <source>With it the conversation has %Ln token(s), and the context holds %1</source>
        <translation><numerusform>With it the conversation has %Ln token, and the context holds %1</numerusform><numerusform>With it the conversation has %Ln tokens, and the context holds %1</numerusform></translation>
    </message>
</context>
<context>
    <name>coterie::app::ExpertGrid</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln token(s)</source>
        <translation><numerusform>%1 of %Ln token</numerusform><numerusform>%1 of %Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>%1, read from disk</source>
        <translation>%1, read from disk</translation>
    </message>
    <message>
        <source>+%1 %</source>
        <translation>+%1 %</translation>
    </message>
    <message>
        <source>Layer %1, expert %2: %3</source>
        <translation>Layer %1, expert %2: %3</translation>
    </message>
    <message>
        <source>Layer %1: %2</source>
        <translation>Layer %1: %2</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>being read</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>in memory</translation>
    </message>
    <message>
        <source>in the GPU's memory</source>
        <translation>in the GPU's memory</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>not used</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>on disk</translation>
    </message>
    <message>
        <source>share of its layer's uses %1</source>
        <translation>share of its layer's uses %1</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>weight %1</translation>
    </message>
</context>
<context>
    <name>coterie::app::ExpertMapItem</name>
    <message>
        <source>Choose another place, or make room</source>
        <translation>Choose another place, or make room</translation>
    </message>
    <message>
        <source>Let a model answer first</source>
        <translation>Let a model answer first</translation>
    </message>
    <message>
        <source>The picture was not saved</source>
        <translation>The picture was not saved</translation>
    </message>
    <message>
        <source>There is nothing to show yet</source>
        <translation>There is nothing to show yet</translation>
    </message>
</context>
<context>
    <name>coterie::app::Generation</name>
    <message>
        <source>Start a new chat, or allow a longer context in the settings</source>
        <translation>Start a new chat, or allow a longer context in the settings</translation>
    </message>
    <message>
        <source>The answer ends here</source>
        <translation>The answer ends here</translation>
    </message>
    <message>
        <source>The context is full</source>
        <translation>The context is full</translation>
    </message>
</context>
<context>
    <name>coterie::app::Inspector</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more token(s) since you asked.</source>
        <translation><numerusform>%Ln more token since you asked.</numerusform><numerusform>%Ln more tokens since you asked.</numerusform></translation>
    </message>
    <message>
        <source>.</source>
        <translation>.</translation>
    </message>
    <message>
        <source>. </source>
        <translation>. </translation>
    </message>
    <message>
        <source>Choose an answer that has one</source>
        <translation>Choose an answer that has one</translation>
    </message>
    <message>
        <source>Choose another place, or make room</source>
        <translation>Choose another place, or make room</translation>
    </message>
    <message numerus="yes">
        <source>Expert %1 of layer %2 worked on %3 of this answer's %Ln token(s).</source>
        <translation><numerusform>Expert %1 of layer %2 worked on %3 of this answer's %Ln token.</numerusform><numerusform>Expert %1 of layer %2 worked on %3 of this answer's %Ln tokens.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>From %Ln answer(s) of this chat.</source>
        <translation><numerusform>From %Ln answer of this chat.</numerusform><numerusform>From %Ln answers of this chat.</numerusform></translation>
    </message>
    <message>
        <source>From this answer.</source>
        <translation>From this answer.</translation>
    </message>
    <message>
        <source>Its prompt</source>
        <translation>Its prompt</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>No model is open.</translation>
    </message>
    <message>
        <source>No model is open. Open one, and watch here what its experts do while it answers.</source>
        <translation>No model is open. Open one, and watch here what its experts do while it answers.</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nothing</translation>
    </message>
    <message>
        <source>The answer before it</source>
        <translation>The answer before it</translation>
    </message>
    <message>
        <source>The answer that you kept</source>
        <translation>The answer that you kept</translation>
    </message>
    <message>
        <source>The model's activity is not shown.</source>
        <translation>The model's activity is not shown.</translation>
    </message>
    <message>
        <source>The prompt is being read.</source>
        <translation>The prompt is being read.</translation>
    </message>
    <message>
        <source>The record of this answer is being read.</source>
        <translation>The record of this answer is being read.</translation>
    </message>
    <message>
        <source>The record was not saved</source>
        <translation>The record was not saved</translation>
    </message>
    <message>
        <source>There is no answer yet. Send a message, and watch here what the experts do.</source>
        <translation>There is no answer yet. Send a message, and watch here what the experts do.</translation>
    </message>
    <message>
        <source>There is no record</source>
        <translation>There is no record</translation>
    </message>
    <message>
        <source>This answer has no record, because records are not kept. The settings can change that.</source>
        <translation>This answer has no record, because records are not kept. The settings can change that.</translation>
    </message>
    <message>
        <source>This answer has no record: it was written before records were kept, or its record was removed to make room.</source>
        <translation>This answer has no record: it was written before records were kept, or its record was removed to make room.</translation>
    </message>
    <message>
        <source>This is another answer.</source>
        <translation>This is another answer.</translation>
    </message>
    <message>
        <source>its prompt</source>
        <translation>its prompt</translation>
    </message>
    <message>
        <source>the answer before it</source>
        <translation>the answer before it</translation>
    </message>
    <message>
        <source>the answer that you kept</source>
        <translation>the answer that you kept</translation>
    </message>
</context>
<context>
    <name>coterie::app::MessageModel</name>
    <message>
        <source>%1 of experts from disk</source>
        <translation>%1 of experts from disk</translation>
    </message>
    <message>
        <source>%1 of layers from disk</source>
        <translation>%1 of layers from disk</translation>
    </message>
    <message>
        <source>%1 to first token</source>
        <translation>%1 to first token</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 tok/s</translation>
    </message>
    <message>
        <source>%1 waiting for the disk</source>
        <translation>%1 waiting for the disk</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <comment>of an answer</comment>
        <translation><numerusform>%Ln token</numerusform><numerusform>%Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Less exact: %1 of router choices used other or fewer experts</source>
        <translation>Less exact: %1 of router choices used other or fewer experts</translation>
    </message>
    <message>
        <source>Less exact: it continues a less exact answer</source>
        <translation>Less exact: it continues a less exact answer</translation>
    </message>
</context>
<context>
    <name>coterie::app::ModelController</name>
    <message>
        <source>%1 billion</source>
        <translation>%1 billion</translation>
    </message>
    <message>
        <source>%1 in %2 files</source>
        <translation>%1 in %2 files</translation>
    </message>
    <message>
        <source>%1 million</source>
        <translation>%1 million</translation>
    </message>
    <message>
        <source>%1 was moved or deleted, or its disk is not connected</source>
        <translation>%1 was moved or deleted, or its disk is not connected</translation>
    </message>
    <message>
        <source>%1, of which each token uses %2</source>
        <translation>%1, of which each token uses %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <comment>of a context</comment>
        <translation><numerusform>%Ln token</numerusform><numerusform>%Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architecture</translation>
    </message>
    <message>
        <source>Bring it back and open it again, or choose another model</source>
        <translation>Bring it back and open it again, or choose another model</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>Demo model</translation>
    </message>
    <message>
        <source>Experts in a layer</source>
        <translation>Experts in a layer</translation>
    </message>
    <message>
        <source>Install Coterie again, or open another model</source>
        <translation>Install Coterie again, or open another model</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Layers</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Licence</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>Longest context</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameters</translation>
    </message>
    <message>
        <source>Quantisation</source>
        <translation>Quantisation</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>Size on disk</translation>
    </message>
    <message>
        <source>The demo model can't be opened</source>
        <translation>The demo model can't be opened</translation>
    </message>
    <message>
        <source>The model's file isn't there</source>
        <translation>The model's file isn't there</translation>
    </message>
</context>
<context>
    <name>coterie::app::Units</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>&lt;%1 s</source>
        <translation>&lt;%1 s</translation>
    </message>
</context>
</TS>
