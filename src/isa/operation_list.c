/* SPDX-License-Identifier: MIT */
/* operation_list.c - see operation_list.h. */
#include "isa/operation_list.h"

void operation_list_begin(struct operation_list *operations, const struct text *text, unsigned kind)
{
    if (operations && operations->count < OPERATION_LIST_MAX)
        operations->list[operations->count++] = (struct listed_operation){
            .at = (uint16_t)text->length, .kind = (uint8_t)kind};
}

void operation_list_end(struct operation_list *operations, const struct text *text)
{
    if (!operations || !operations->count)
        return;
    struct listed_operation *last = &operations->list[operations->count - 1];
    last->length = (uint16_t)(text->length - last->at);
}

void operation_list_operand(struct operation_list *operations, const struct text *text, size_t at,
                            struct listed_operand operand)
{
    if (!operations || !operations->count)
        return;
    struct listed_operation *last = &operations->list[operations->count - 1];
    if (last->count == OPERATION_LIST_OPERANDS)
        return;
    operand.at = (uint16_t)at;
    operand.length = (uint16_t)(text->length - at);
    last->operands[last->count++] = operand;
}
